/** Where the items of a long list stand, whether they were laid out or not. */
export class Heights {
  private readonly known = new Map<string, number>()
  private keys: readonly string[] = []
  private tops = new Float64Array(1)
  private stale = false

  constructor(private readonly estimate: number) {}

  /** Takes the items' keys, in order. The same list again costs nothing unless something was measured since. */
  order(keys: readonly string[]): void {
    if (keys === this.keys && !this.stale) return
    this.keys = keys
    this.stale = false
    this.tops = new Float64Array(keys.length + 1)
    for (let at = 0; at < keys.length; at++) this.tops[at + 1] = this.tops[at]! + (this.known.get(keys[at]!) ?? this.estimate)
  }

  /** Where the item begins; for the number of items: where the list ends. */
  top(at: number): number {
    return this.tops[Math.min(at, this.keys.length)]!
  }

  /** The item at a place, at least the first and at most the last. */
  indexAt(y: number): number {
    let [low, high] = [0, Math.max(0, this.keys.length - 1)]
    while (low < high) {
      const mid = (low + high + 1) >> 1
      if (this.tops[mid]! <= y) low = mid
      else high = mid - 1
    }
    return low
  }

  /** Takes the measured heights of the items from one on; says whether any differs, and by how much those above a place do. */
  measured(from: number, heights: readonly number[], place: number): { any: boolean; above: number } {
    let above = 0
    heights.forEach((height, n) => {
      const [at, before] = [from + n, this.top(from + n + 1) - this.top(from + n)]
      if (Math.abs(height - before) < 0.5) return
      this.known.set(this.keys[at]!, height)
      this.stale = true
      if (this.top(at) + before <= place) above += height - before
    })
    return { any: this.stale, above }
  }
}
