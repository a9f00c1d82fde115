/** Where the items of a long list stand, whether they were laid out or not. */
export class Heights {
  private readonly known = new Map<string, number>()
  private keys: string[] = []
  private tops = new Float64Array(1)

  constructor(private readonly estimate: number) {}

  /** Takes the items' keys, in order. */
  order(keys: string[]): void {
    this.keys = keys
    this.tops = new Float64Array(keys.length + 1)
    keys.forEach((key, at) => {
      this.tops[at + 1] = this.tops[at]! + (this.known.get(key) ?? this.estimate)
    })
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

  /** Measures the items that are laid out; says whether any differs, and by how much those above a place do. */
  measure(list: HTMLElement, scrollTop: number): { any: boolean; above: number } {
    let [any, above] = [false, 0]
    for (const el of list.querySelectorAll<HTMLElement>(':scope > [data-key]')) {
      const key = el.dataset.key!
      const height = el.getBoundingClientRect().height
      const before = this.known.get(key) ?? this.estimate
      if (Math.abs(height - before) < 0.5) continue
      this.known.set(key, height)
      any = true
      if (this.topOf(key) + before <= scrollTop) above += height - before
    }
    return { any, above }
  }

  private topOf(key: string): number {
    return this.tops[this.keys.indexOf(key)] ?? 0
  }
}
