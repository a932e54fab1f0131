import { isJsonObject } from "../../domain/values/json.ts"

/** A JSON object: a schema, or another part of the document. */
export interface Json {
  readonly [member: string]: unknown
}

/** The schemas in a list such as `anyOf`; none if the member is absent. */
export const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJsonObject) : [])

export const mapValues = <A, B>(
  object: Readonly<Record<string, A>>,
  change: (value: A, member: string) => B,
): Readonly<Record<string, B>> => Object.fromEntries(Object.entries(object).map(([member, value]) => [member, change(value, member)]))

export const component = (kind: "headers" | "responses" | "schemas", name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** The name of the schema that a reference leads to; undefined for other schemas. */
export const referenced = ({ $ref }: Json): string | undefined =>
  typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined
