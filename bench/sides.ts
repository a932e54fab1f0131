import type { ChildProcess } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import type { Contender, Round } from "./compare.ts"
import { send } from "./load.ts"
import { processorSeconds } from "./machine.ts"
import type { Operation } from "./operation.ts"
import { seconds } from "./options.ts"
import type { Prepared } from "./prepared.ts"
import { type Request, written } from "./requests.ts"

/** A contender whose answers can be read. */
export interface Readable extends Contender {
  /** The answers to the first requests. Sides of one group must give the same. */
  readonly answers?: () => Promise<ReadonlyArray<string>>
  readonly group?: string
}

/** One side of the comparisons of a run. It is started before the first of them. */
export interface Side {
  /** Undefined if this side has nothing to compare with the operation. */
  readonly contender: (operation: Operation) => Promise<Readable | undefined>
}

export interface Server {
  readonly name: string
  readonly child: ChildProcess
  readonly port: number
}

const made = new WeakMap<Prepared, Map<string, Promise<ReadonlyArray<Request>>>>()

/** The requests of an operation, made once for all sides that use the same users. */
export const requestsOf = ({ name, requests }: Operation, prepared: Prepared): Promise<ReadonlyArray<Request>> => {
  const known = made.get(prepared) ?? new Map<string, Promise<ReadonlyArray<Request>>>()
  made.set(prepared, known)
  const own = known.get(name) ?? requests(prepared)
  known.set(name, own)
  return own
}

/** Before a round, in milliseconds: servers still work on the last requests of the round before, whose answers wrk does not read. */
const pause = 500

/** How many answers of each side are compared. */
const samples = 20

const answer = async (port: number, { method, path, headers = {}, body }: Request): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  return response.text()
}

const answersOf = (port: number, requests: ReadonlyArray<Request>) =>
  Promise.all(requests.slice(0, samples).map((request) => answer(port, request)))

const demand = (name: string, texts: ReadonlyArray<string>, expected: string | undefined) => {
  const wrong = texts.find((text) => expected !== undefined && !text.includes(expected))
  if (wrong !== undefined) throw new Error(`${name} answers without ${expected}: ${wrong.slice(0, 500)}`)
}

/** A server as a side of one operation, under the load of wrk. */
export const served = async (
  folder: string,
  { name, child, port }: Server,
  { name: operation, connections, expects }: Pick<Operation, "name" | "connections" | "expects">,
  requests: ReadonlyArray<Request>,
  refill: () => Promise<void> = async () => {},
): Promise<Readable> => {
  if (expects !== undefined) demand(name, await answersOf(port, requests), expects)
  const files = written(folder, `${operation}-${port}`, requests)
  const round = async (): Promise<Round> => {
    await setTimeout(pause)
    await refill()
    const before = processorSeconds(child)
    const answers = await send({ port, connections, seconds, ...files })
    return { ...answers, micros: ((processorSeconds(child) - before) * 1e6) / answers.count }
  }
  return { name, round, ...(expects === undefined ? {} : { answers: () => answersOf(port, requests) }) }
}

/** Throws if two sides of a group answer different bytes: one of them would not do the same work. */
export const demandSameBytes = async (contenders: ReadonlyArray<Readable>): Promise<void> => {
  const first = new Map<string, { readonly name: string; readonly texts: ReadonlyArray<string> }>()
  for (const { name, group, answers } of contenders) {
    if (group === undefined || answers === undefined) continue
    const texts = await answers()
    const other = first.get(group) ?? { name, texts }
    first.set(group, other)
    const at = texts.findIndex((text, index) => text !== other.texts[index])
    if (at >= 0) throw new Error(`${other.name} and ${name} answer different bytes:\n${other.texts[at]}\n${texts[at]}`)
  }
}
