import type { World } from "./world.ts"

/** Whether the sizes and times are those of production, which take two hours; otherwise all of it takes about four minutes. */
export const isFull = process.env["DRILL"] === "full"
export const sized = <A>(bounded: A, full: A): A => (isFull ? full : bounded)

/** The folder of an older version with its dependencies; without it, the faults that need one are left out. */
export const older = process.env["OLD"]

/** Something that goes wrong, or that an operator does, while two instances serve requests. */
export interface Fault {
  readonly name: string
  readonly expected: string
  /** What requests may be answered, except for 200: a status and a code of error. */
  readonly tolerated?: RegExp
  /** Whether the balancer may find instances unusable meanwhile. */
  readonly stopsInstances?: true
  /** Why the fault cannot be tried here. */
  readonly omitted?: string | undefined
  /** Runs under load, and can return what was seen besides the answers, as a text. */
  readonly run: (world: World) => Promise<unknown>
}

export const unavailable = /^503 (unavailable|overloaded)$/
/** As `unavailable`, and instances leave the balancer. */
export const outOfService = /^503 (unavailable|overloaded|balancer)$/
/** An instance that is killed breaks the connections of its requests. */
export const broken = /^(502 balancer|503 balancer|504 balancer|503 unavailable|503 overloaded|0 .*)$/
