import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

/** One request, repeated over a number of connections for a number of seconds. */
export interface Load {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** A request with a body is a POST of JSON. */
  readonly body?: string
  readonly connections: number
  readonly seconds: number
}

export interface Answers {
  readonly count: number
  readonly perSecond: number
}

const run = promisify(execFile)

/** Sends load with wrk and counts the answers; throws when an answer is not a success. The script of wrk is written to `folder`. */
export const send = async (folder: string, { url, headers = {}, body, connections, seconds }: Load): Promise<Answers> => {
  const fields = { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) }
  const given = Object.entries(fields).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
  const script = join(folder, "post.lua")
  if (body !== undefined) writeFileSync(script, `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\n`)
  const posting = body === undefined ? [] : ["-s", script]
  const { stdout } = await run("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", ...posting, ...given, url])
  const [, count] = /(\d+) requests in /.exec(stdout) ?? []
  const [, perSecond] = /Requests\/sec: +([\d.]+)/.exec(stdout) ?? []
  if (count === undefined || perSecond === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk printed:\n${stdout}`)
  return { count: Number(count), perSecond: Number(perSecond) }
}
