/**
 * How many batches, turns and approvals of a session are kept, the newest: a
 * log keeps at least its last 10,000 events, and each of these has two or more.
 */
export const maxKept = 5000

/** Replaces the item with the id, or adds it at the end. */
export function put<T extends { id: string }>(list: readonly T[], item: T): readonly T[] {
  const at = indexOf(list, item.id)
  if (at < 0) return [...list.slice(Math.max(0, list.length + 1 - maxKept)), item]
  return list.with(at, item)
}

/** Changes the item with the id; where there is none the list stays. */
export function change<T extends { id: string }>(list: readonly T[], id: string | undefined, edit: (item: T) => T): readonly T[] {
  const at = indexOf(list, id)
  return at < 0 ? list : list.with(at, edit(list[at]!))
}

/** Finds the item with the id; most often it is one of the last. */
export function find<T extends { id: string }>(list: readonly T[], id: string | undefined): T | undefined {
  return list[indexOf(list, id)]
}

function indexOf(list: readonly { id: string }[], id: string | undefined): number {
  return list.findLastIndex((item) => item.id === id)
}
