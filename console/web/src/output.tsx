import type { Schemas } from '@session-gateway/client'
import { useState } from 'preact/hooks'
import { gateway, problemText, reasonOf } from './gateway.ts'
import { Block } from './text.tsx'

/** How much of a stored output is fetched at once, in characters. */
const pageChars = 10_000

interface OutputProps {
  sid: string
  result: Schemas['Result']
  rendered?: Schemas['Call']['rendered']
}

/** What a call answered. Of an output that was too long the gateway keeps the whole, which is paged through. */
export function Output({ sid, result, rendered }: OutputProps) {
  const ref = result.output_ref ?? rendered?.output_ref
  return (
    <section aria-label="Output">
      <h4>What the model reads</h4>
      <Block text={rendered?.output ?? result.output} label="Output" />
      {ref && <Stored sid={sid} outputRef={ref} />}
    </section>
  )
}

function Stored({ sid, outputRef }: { sid: string; outputRef: string }) {
  const [page, setPage] = useState<Schemas['OutputPage']>()
  const [problem, setProblem] = useState('')
  const read = async (offset: number) => {
    try {
      const params = { path: { sid, ref: outputRef }, query: { offset, limit: pageChars } }
      const { data, error } = await gateway.GET('/v1/sessions/{sid}/outputs/{ref}', { params })
      setProblem(data ? '' : problemText(error))
      if (data) setPage(data)
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  if (!page) {
    return (
      <>
        <button type="button" onClick={() => void read(0)}>
          Show the whole output
        </button>
        {problem && <p class="problem">{problem}</p>}
      </>
    )
  }
  const end = page.next_offset ?? page.total
  return (
    <div class="stored">
      <Block text={page.text} label="The whole output, a page of it" />
      <p class="pager">
        <button type="button" disabled={page.offset === 0} onClick={() => void read(Math.max(0, page.offset - pageChars))}>
          Back
        </button>
        <span aria-live="polite">
          {page.offset.toLocaleString('en')} to {end.toLocaleString('en')} of {page.total.toLocaleString('en')} characters
        </span>
        <button type="button" disabled={page.next_offset === null} onClick={() => void read(page.next_offset!)}>
          On
        </button>
      </p>
      {problem && <p class="problem">{problem}</p>}
    </div>
  )
}
