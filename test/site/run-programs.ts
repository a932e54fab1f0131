// Imports the programs of JOBS one after the other, each with a session at the service that stands in for http://localhost:3000, and prints
// the error codes of the responses that each got.

interface Job {
  readonly file: string
  readonly cookie: string
  readonly port: number
}

const jobs: ReadonlyArray<Job> = JSON.parse(process.env["JOBS"] ?? "[]")
const send = globalThis.fetch
const results = []

for (const { file, cookie, port } of jobs) {
  const codes: Array<string> = []
  globalThis.fetch = async (input, init) => {
    const request = new Request(String(input instanceof Request ? input.url : input).replace("localhost:3000", `localhost:${port}`), init)
    if (!request.headers.has("authorization")) request.headers.set("cookie", cookie)
    const response = await send(request)
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    if (!response.ok) codes.push(String(JSON.stringify(body)?.match(/"code":"(\w+)"/)?.[1]))
    return response
  }
  const fault = await import(file).then(
    () => null,
    (reason: unknown) => String(reason),
  )
  results.push({ codes, fault })
}
console.log(JSON.stringify(results))
process.exit(0)
