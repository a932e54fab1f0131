import { SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The validation errors of an input, by field, and the first field. Never contains a value, which could be a secret. */
export const faults = (issue: SchemaIssue.Issue): { readonly message: string; readonly member?: string } => {
  const { issues } = format(issue)
  const message = issues
    .map(({ path = [], message }) => (path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message))
    .join("; ")
  const [member] = issues[0]?.path ?? []
  return member === undefined ? { message } : { message, member: String(member) }
}

/** The first fault of each member. */
export const memberFaults = (issue: SchemaIssue.Issue): ReadonlyArray<{ readonly member: string; readonly message: string }> => {
  const all = format(issue).issues.map(({ path = [], message }) => ({ member: path.map(String).join("."), message }))
  return [...Map.groupBy(all, ({ member }) => member).values()].flatMap(([first]) =>
    first === undefined ? [] : [{ ...first, message: `${first.member}: ${first.message}` }],
  )
}

/** The validation error of a member that is not expected. */
export const unexpected = (path: ReadonlyArray<string>) => ({ message: `${path.join(".")}: Unexpected key`, member: path[0] ?? "" })
