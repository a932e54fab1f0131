import { SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The validation errors of an input, by field. Never contains a value, which could be a secret. */
export const faults = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.map(({ path = [], message }) => (path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message))
    .join("; ")
