import { SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong with an input, field by field. Never repeats a value: it may be a secret. */
export const faults = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.map(({ path = [], message }) => (path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message))
    .join("; ")
