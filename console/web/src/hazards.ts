/** A part of a text that a person should look at, and why. */
export interface Hazard {
  from: number
  to: number
  why: string
}

// What often does harm that can't be undone, or reaches beyond the work at
// hand. It points at things, it judges nothing: that is what rules are for.
const known: [RegExp, string][] = [
  [/\brm\s+(?:-\w+\s+)*-\w*[rRf]\w*/g, 'deletes without asking'],
  [/\b(?:sudo|doas)\b/g, 'with the rights of an administrator'],
  [/\b(?:curl|wget)\b[^|;&\n]{0,500}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/g, 'runs what it downloads'],
  [/\b(?:mkfs\S*|fdisk|shred)\b|\bdd\b[^|;&\n]{0,500}\bof=\S+/g, 'overwrites a disk or a file'],
  [/\bchmod\s+(?:-\w+\s+)*(?:0?777|a\+\w+)/g, 'opens files to everybody'],
  [/\bgit\s+push\b[^|;&\n]{0,500}(?:--force(?!-with-lease)\b|\s-f\b)|\bgit\s+(?:reset\s+--hard|clean\s+-\w*f\w*)/g, 'throws work away'],
  [/\bDROP\s+(?:TABLE|DATABASE|SCHEMA)\b|\bTRUNCATE\s+TABLE\b/gi, 'deletes data'],
  [/(?:^|[\s/'"=])(?:\.env\b[\w.]*|id_(?:rsa|ed25519|ecdsa)\b|\.ssh\/|\.aws\/|\.netrc\b)/g, 'where secrets are kept'],
  [/>>?\s*\/(?:etc|usr|bin|boot|dev\/(?!null\b|stdout\b|stderr\b))\S*/g, 'writes to the system'],
  [/\beval\b|\b(?:ba|z|da)?sh\s+-c\b|\b(?:python3?|perl|node|ruby)\s+-[ce]\b/g, 'runs a text as a program'],
  [/--no-verify\b|--insecure\b|--no-check-certificate\b/g, 'leaves a check out'],
]

/** The longest text that is looked through: three times what the gateway itself reads of a command. */
export const searchedChars = 100_000

/** Finds what a person should look at, in order and without overlaps. */
export function hazardsOf(text: string): Hazard[] {
  const found: Hazard[] = []
  const searched = text.slice(0, searchedChars)
  for (const [pattern, why] of known) {
    for (const match of searched.matchAll(pattern)) found.push({ from: match.index, to: match.index + match[0].length, why })
  }
  found.sort((a, b) => a.from - b.from)
  return found.filter((hazard, at) => at === 0 || hazard.from >= found[at - 1]!.to)
}
