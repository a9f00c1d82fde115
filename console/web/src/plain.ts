/**
 * What may hide in a text: controls (ANSI escapes begin with one), characters
 * that change the direction of what follows, and those that can't be seen.
 * Tabs and line ends are not among them.
 */
export const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

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
