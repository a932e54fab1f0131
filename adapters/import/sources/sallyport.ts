import { Option, Schema } from "effect"
import { format, OwnUser } from "../../../application/import/own.ts"
import type { UserRecord } from "../../../application/import/record.ts"
import { secretOf } from "../base32.ts"
import { type Fields, fieldsOf } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

const decode = Schema.decodeUnknownOption(OwnUser)

/** A line of this service's own export. */
export const sallyport: Source = {
  matches: (values) => values["format"] === format,
  read: (values) => {
    const fields = fieldsOf(values)
    fields.skip(...Object.keys(OwnUser.fields))
    const own = Option.getOrUndefined(decode(values))
    return fields.read(own === undefined ? null : recordOf(own, fields))
  },
}

const recordOf = ({ id, accounts, ban, password_hash = null, totp = null, format: _, ...own }: OwnUser, fields: Fields): UserRecord => {
  const secret = totp === null ? undefined : secretOf(totp.secret)
  if (totp !== null && secret === undefined) fields.dropFactors("totp")
  return {
    kind: "user",
    source_id: id,
    ...own,
    identities: accounts,
    ...(ban === null ? {} : { ban }),
    ...(password_hash === null ? {} : passwordOf("sallyport", password_hash)),
    ...(totp === null || secret === undefined ? {} : { totp: { ...totp, secret } }),
  }
}
