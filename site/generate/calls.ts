import { keyOf } from "../../adapters/client-types/schema-types.ts"
import type { Operation } from "./openapi.ts"
import { inputOf } from "./samples.ts"

const base = "localhost:3000/api/auth"

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const queryOf = (input: Readonly<Record<string, unknown>>) => {
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()
  return query === "" ? "" : `?${query}`
}

const jarOf = ({ access, setsCookie }: Operation) =>
  [["session", "permission"].includes(access) ? ["-b jar"] : [], setsCookie ? ["-c jar"] : []].flat()

/** The options of curl that send the body; empty if there is none. */
const bodyOf = (operation: Operation): ReadonlyArray<string> => {
  const input = inputOf(operation)
  if (operation.isForm) return Object.entries(input).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`)
  if (Object.keys(input).length === 0) return []
  return ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(input))}`]
}

/** The operation as a command of curl. */
export const curlOf = (operation: Operation): string => {
  const token =
    operation.access === "client" && ["/oauth2/userinfo", "/oauth2/register"].includes(operation.path)
      ? ["-H 'authorization: Bearer …'"]
      : []
  const start = ["curl -s", ...jarOf(operation), ...token].join(" ")
  if (operation.method === "GET" || operation.method === "DELETE") {
    const url = base + operation.path + queryOf(inputOf(operation))
    const method = operation.method === "DELETE" ? " -X DELETE" : ""
    return `${start}${method} ${url.includes("?") ? quoted(url) : url}`
  }
  const body = bodyOf(operation)
  if (body.length === 0) return `${start} -X POST ${base}${operation.path}`
  const method = operation.method === "PUT" ? " -X PUT" : ""
  return [`${start}${method} ${base}${operation.path}`, ...body].join(" \\\n  ")
}

const camel = (segment: string) => segment.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

const memberOf = (name: string) => (keyOf(name) === name ? `.${name}` : `[${JSON.stringify(name)}]`)

const literalOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${keyOf(name)}: ${literalOf(inner)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** Calls that a function of the client makes, because the browser has to take part. */
const byFunction: Readonly<Record<string, string>> = {
  passkeyRegisterVerify: `import { addPasskey } from "sallyport/client"\n\nconst { data, error } = await addPasskey(client, "My laptop")`,
  passkeyAuthenticateVerify: `import { signInWithPasskey } from "sallyport/client"\n\nconst { data, error } = await signInWithPasskey(client)`,
}

/** The operation as a call of the client; none for OAuth, whose endpoints other software calls. */
export const clientCallOf = (operation: Operation): string | undefined => {
  if (operation.isForm || operation.access === "client" || operation.output === undefined) return undefined
  const path = operation.path.split("/").slice(1).map(camel).map(memberOf).join("")
  const input = inputOf(operation)
  const given = Object.keys(input).length === 0 ? "" : literalOf(input)
  return byFunction[operation.id] ?? `const { data, error } = await client${path}(${given})`
}
