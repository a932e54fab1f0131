import { commonCodes } from "../../client/http.ts"
import { clientCallOf, curlOf } from "./calls.ts"
import { code, table } from "./markdown.ts"
import { type JsonSchema, type Operation, resolved, titleOf } from "./openapi.ts"
import { read } from "./repository.ts"
import { sampleOf } from "./samples.ts"

const accesses: Readonly<Record<Operation["access"], string>> = {
  public: "Needs no session.",
  session: "Needs a session.",
  permission: "For administrators and [machines](/guides/administration/#machines).",
  client: "For clients of the identity provider.",
}

const typeOf = (schema: JsonSchema): string => {
  const { type, enum: values, anyOf, oneOf, items, properties } = resolved(schema)
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(" or ")
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(" or ")
  if (type === "array") return `list of ${items === undefined ? "values" : typeOf(items)}`
  if (Array.isArray(type)) return type.join(" or ")
  return typeof type === "string" ? type : properties === undefined ? "any" : "object"
}

const limitsOf = (schema: JsonSchema): string => {
  const { format, minimum, maximum, minLength, maxLength } = resolved(schema)
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    if (to !== undefined) return [`${from ?? 0} to ${to}${unit}`]
    return from === undefined ? [] : [`at least ${from}${unit}`]
  }
  return [...(format === undefined ? [] : [format]), ...range(minimum, maximum, ""), ...range(minLength, maxLength, " characters")].join(
    ", ",
  )
}

const inputTable = ({ input, method, isForm }: Operation): string => {
  const members = Object.entries(input.properties ?? {})
  if (members.length === 0) return "No input."
  const rows = members.map(([name, schema]) => {
    const facts = [typeOf(schema), limitsOf(schema)].filter((fact) => fact !== "").join(", ")
    const needed = input.required?.includes(name) === true ? "required" : "optional"
    return [`\`${name}\``, needed, [facts, schema.description].filter((part) => part !== undefined).join(". ")]
  })
  const where = method === "GET" || method === "DELETE" ? "In the query string:" : isForm ? "As a form:" : "As JSON:"
  return `${where}\n\n${table(["Member", "", "Value"], rows)}`
}

const answersOf = ({ output }: Operation): string => {
  if (output === undefined) return "The answer is a redirect or has no body."
  const { oneOf, anyOf } = resolved(output)
  const branches = oneOf ?? anyOf ?? [output]
  return ["Answer:", branches.map((branch) => code("json", JSON.stringify(everyMember(branch), null, 2))).join("\n\nor\n\n")].join("\n\n")
}

/** A sample with the optional members too. */
const everyMember = (schema: JsonSchema): unknown => sampleOf(schema, "", Object.keys(resolved(schema).properties ?? {}))

const errorsOf = ({ refusals }: Operation): string => {
  const own = refusals.filter(({ code }) => !commonCodes.some((common) => common === code))
  const links = own.map(({ status, code }) => `[\`${code}\`](/reference/errors/${code}/) (${status})`)
  return links.length === 0 ? "Errors: only those of every endpoint." : `Errors: ${links.join(", ")}.`
}

const given = `<!-- docs: given
import { createClient } from "sallyport/client"
const client = createClient({ baseUrl: "http://localhost:3000" })
-->`

const clientBlock = (operation: Operation): ReadonlyArray<string> => {
  const call = clientCallOf(operation)
  if (call === undefined) return []
  const needsBrowser = call.startsWith("import") ? "\n<!-- docs: types only: needs an authenticator of a browser -->" : ""
  return [`${given}${needsBrowser}\n${code("ts", call)}`]
}

const generated = read("adapters/assembly/calls.generated.ts")

/** How the server that the service is mounted in calls the operation. */
const callNote = ({ id }: Operation) => (generated.includes(`readonly ${id}: Call<`) ? [`\`auth.call.${id}\``] : [])

const permissionNote = ({ permission }: Operation) => (permission === undefined ? [] : [`Permission: \`${permission}\`.`])

/** An operation on the page of its module. */
export const operationText = (operation: Operation): string =>
  [
    `### \`${titleOf(operation)}\``,
    [operation.summary, accesses[operation.access], ...permissionNote(operation), ...callNote(operation)].join(" "),
    inputTable(operation),
    code("sh", curlOf(operation)),
    ...clientBlock(operation),
    answersOf(operation),
    errorsOf(operation),
  ].join("\n\n")
