import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** One HTTP request of a load. */
export interface Request {
  readonly method: "GET" | "POST"
  /** From the root of the host. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** In a request: a number that no other request of the run has. It has as many digits as this text has characters. */
export const counter = "{{{counter}}}"

/** The host in all requests: servers do not answer differently because of their ports. */
export const host = "auth.example.com"

const encoded = ({ method, path, headers = {}, body }: Request): string => {
  const fields = { host, ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n")
}

/** wrk would format every request anew; here it only sends texts. The requests take turns, so that most are of different users. */
const script = `
local requests, at, counter = {}, 0, 0
function init(args)
  for text in io.open(args[1], "rb"):read("*a"):gmatch("[^%z]+") do requests[#requests + 1] = text end
  counter = tonumber(args[2])
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`
const counting = `${script}
local take = request
function request()
  counter = counter + 1
  return (take():gsub("${counter}", string.format("%0${counter.length}.0f", counter)))
end
`

/** The files of a load: wrk's script, and the requests that it reads. */
export interface Prepared {
  readonly script: string
  readonly requests: string
}

/** Writes the files of a load to a folder; `name` makes their names different. */
export const written = (folder: string, name: string, requests: ReadonlyArray<Request>): Prepared => {
  const texts = requests.map(encoded).join("\0")
  const files = { script: join(folder, `${name}.lua`), requests: join(folder, `${name}.requests`) }
  writeFileSync(files.requests, texts)
  writeFileSync(files.script, texts.includes(counter) ? counting : script)
  return files
}
