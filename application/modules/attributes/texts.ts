import type { Settings } from "../../../domain/attributes/settings.ts"

/** A text as a message without placeholders. */
const literal = (text: string) => text.replaceAll("'", "''").replace(/[{}]/g, "'$&'")

/** The labels and hints of attributes in forms. With these keys, the operator replaces them by language. */
export const labelsOf = (attributes: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { sign_up }]) => sign_up)
      .flatMap(([name, { schema }]) => [
        [`attribute.${name}`, literal(schema.title ?? name)],
        ...(schema.description === undefined ? [] : [[`attribute.${name}.hint`, literal(schema.description)]]),
      ]),
  )
