import { Effect, Option, Schema } from "effect"
import { readerOfPrincipal } from "../../../domain/attributes/administrators.ts"
import { type Attribute, isReadBy, type Values } from "../../../domain/attributes/attributes.ts"
import { AttributeIndexes } from "../../../domain/attributes/tables.ts"
import { Forbidden, invalidMember } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { find } from "../../../domain/ports/store.ts"
import { IndexBuilding } from "./errors.ts"

/** A filter as it is typed. */
interface Typed {
  readonly attribute?: string
  readonly value?: string
}

/** Users with this value of an indexed attribute. */
export interface WantedValue {
  readonly attribute: string
  readonly value: Values[string]
}

const json = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The value that a text means: itself, or a number or a boolean as in JSON. */
const valueIn = ({ isValid }: Attribute, text: string) => (isValid(text) ? Option.some(text) : Option.filter(json(text), isValid))

/** The value that the filters want, once the index has every user; undefined if they want none. */
export const wantedValue = Effect.fnUntraced(function* wantedValue({ attribute: name, value: text }: Typed) {
  if (name === undefined && text === undefined) return undefined
  if (text === undefined) return yield* invalidMember("value", "Expected together with attribute")
  const attribute = (yield* Policies).attributes.find((one) => one.isIndexed && one.name === name)
  if (attribute === undefined) return yield* invalidMember("attribute", "Expected an indexed attribute")
  if (!isReadBy(attribute, yield* readerOfPrincipal)) return yield* new Forbidden()
  const value = valueIn(attribute, text)
  if (Option.isNone(value)) return yield* invalidMember("value", `Expected a valid value of ${attribute.name}`)
  const index = yield* find(AttributeIndexes, { attribute: attribute.name })
  if (Option.isNone(index) || !index.value.is_complete) return yield* new IndexBuilding()
  return { attribute: attribute.name, value: value.value } satisfies WantedValue
})
