/**
 * What may hide in a text: controls (ANSI escapes begin with one), characters
 * that change the direction of what follows, halves of characters, and whatever
 * Unicode says is not to be seen. Tabs and line ends are not among them, nor is
 * what makes one picture of emoji.
 */
export const hidden =
  /(?![\t\n])(?!\ufe0f(?<=\p{ExtPict}\ufe0f))(?!\u200d(?<=\p{ExtPict}\ufe0f?\p{EMod}?\u200d)(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/gu

const names: Record<string, string> = { '\u001b': 'ESC', '\u0000': 'NUL', '\u202e': 'RLO', '\u202d': 'LRO', '\u200b': 'ZWSP', '\r': 'CR' }

/** What a hidden character is called. */
export function nameOf(char: string): string {
  return names[char] ?? 'U+' + char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}

/** A text for where there is room for one line and no markup: all of it can be seen. */
export function plain(text: string, max = 200): string {
  const shown = text.slice(0, max).replace(hidden, (char) => `<${nameOf(char)}>`)
  return text.length > max ? `${shown}…` : shown
}
