import { Schema } from "effect"
import * as Table from "../ports/table.ts"
import { Users } from "../users/tables.ts"

const Scalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

/** Values by attribute. */
export const StoredValues = Schema.Record(Schema.String, Schema.Union([Scalar, Schema.Array(Scalar)]))

const UserAttribute = Schema.Struct({
  user_id: Schema.String,
  /** By attribute. May have values of attributes that are no longer declared. */
  values: StoredValues,
  updated_at: Schema.DateTimeUtc,
})
export type UserAttribute = typeof UserAttribute.Type

/** The attributes of users. Every write of a row writes the user as well, so that versions of the user cover it. */
export const UserAttributes = Table.make("user_attributes", UserAttribute, {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["values", "updated_at"], other: ["user_id"] },
})

const AttributeValue = Schema.Struct({
  /** Of the attribute and the value: no two users can insert the same. Without `unique`, of the user as well. */
  hash: Schema.String,
  attribute: Schema.String,
  /** As JSON. */
  value: Schema.String,
  user_id: Schema.String,
})
export type AttributeValue = typeof AttributeValue.Type

/** The values of unique and of indexed attributes. */
export const AttributeValues = Table.make("attribute_value", AttributeValue, {
  key: "hash",
  indexed: [["attribute", "value", "user_id"]],
  references: { user_id: Users },
  data: { secret: ["hash"], other: ["attribute", "value", "user_id"] },
})

const AttributeIndex = Schema.Struct({
  attribute: Schema.String,
  /** The last user whose values have their rows. */
  place: Schema.NullOr(Schema.String),
  /** Whether every value has its row. */
  is_complete: Schema.Boolean,
  created_at: Schema.DateTimeUtc,
})
export type AttributeIndex = typeof AttributeIndex.Type

/** The indexed attributes. */
export const AttributeIndexes = Table.make("attribute_index", AttributeIndex, { key: "attribute" })
