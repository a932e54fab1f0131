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

/** The paths of all members with faults, once each. */
export const membersOf = (issue: SchemaIssue.Issue): ReadonlyArray<string> => [
  ...new Set(format(issue).issues.map(({ path = [] }) => path.map(String).join("."))),
]

/** The validation error of a member that is not expected. */
export const unexpected = (path: ReadonlyArray<string>) => ({ message: `${path.join(".")}: Unexpected key`, member: path[0] ?? "" })
