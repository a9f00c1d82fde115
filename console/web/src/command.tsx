import type { Schemas } from '@session-gateway/client'
import { hazardsOf, searchedChars } from './hazards.ts'
import { Foreign, reveal } from './text.tsx'
import { Why } from './why.tsx'

/** A text in which what a person should look at is marked. */
export function Marked({ text }: { text: string }) {
  const parts: preact.ComponentChild[] = []
  let from = 0
  for (const hazard of hazardsOf(text)) {
    parts.push(reveal(text.slice(from, hazard.from)))
    parts.push(
      <mark class="hazard" title={hazard.why}>
        {reveal(text.slice(hazard.from, hazard.to))}
      </mark>,
    )
    from = hazard.to
  }
  parts.push(reveal(text.slice(from)))
  return <bdi>{parts}</bdi>
}

/** How many are told in words; a list of thousands would hide the question. */
const listedHazards = 20

/** What is marked in a text, in words: nothing is told by colour alone. */
export function Hazards({ text }: { text: string }) {
  const hazards = hazardsOf(text)
  const [more, unread] = [hazards.length - listedHazards, text.length - searchedChars]
  if (hazards.length === 0 && unread <= 0) return null
  return (
    <ul class="hazards" aria-label="Look at this">
      {unread > 0 && <li>It is so long that its last {unread.toLocaleString('en')} characters were not looked through.</li>}
      {hazards.slice(0, listedHazards).map((hazard) => (
        <li>
          <code>
            <Foreign text={text.slice(hazard.from, hazard.to).trim()} />
          </code>{' '}
          {hazard.why}
        </li>
      ))}
      {more > 0 && <li>and {more} more, marked below</li>}
    </ul>
  )
}

type Subject = Schemas['ExplainedSubject']

const unclear: Partial<Record<Subject['clarity'], string>> = {
  unknown: 'what it is about can’t be told',
  opaque: 'runs what rules can’t see',
  unparsed: 'no shell would take it',
  overflow: 'too long to be judged',
}

/** What rules see of a call: the parts of a command, files, addresses, each with what they say of it. */
export function Seen({ call, subject }: { call: Schemas['ExplainedCall']; subject: string }) {
  const seen = call.subjects.filter(({ type, text, decision }) => type !== 'none' && (decision !== null || text !== subject))
  const decided = seen.filter(({ decision }) => decision !== null)
  const guarded = [...new Map(seen.filter(({ decision }) => decision === null).map((one) => [`${one.as} ${one.text}`, one])).values()]
  if (seen.length === 0) return null
  return (
    <section class="seen">
      <h3>What rules see</h3>
      <ul>
        {decided.map((one) => (
          <Decided {...one} />
        ))}
      </ul>
      {guarded.length > 0 && <Guarded subjects={guarded} />}
      {call.subjects_omitted > 0 && <p class="quiet">and {call.subjects_omitted} more</p>}
    </section>
  )
}

function Decided({ decision, as, type, text, clarity }: Subject) {
  return (
    <li>
      <span class={`effect effect-${decision!.effect}`}>{decision!.effect}</span>
      <span class="seen-as">{as || type}</span>
      <code>
        <Marked text={text} />
      </code>
      {unclear[clarity] && <strong class="seen-unclear">{unclear[clarity]}</strong>}
      <Why decision={decision} />
    </li>
  )
}

/** What only deny and ask rules look at, where none matched. */
function Guarded({ subjects }: { subjects: Subject[] }) {
  return (
    <p class="guarded quiet">
      No rule is against{' '}
      {subjects.map(({ as, text }, at) => (
        <>
          {at > 0 && ', '}
          {as}{' '}
          <code>
            <Marked text={text} />
          </code>
        </>
      ))}
    </p>
  )
}
