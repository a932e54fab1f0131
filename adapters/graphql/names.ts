/** A member's name in GraphQL: `email_verified` becomes `emailVerified`. */
export const memberName = (wire: string): string => {
  const camel = wire.replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replace(/[^A-Za-z0-9_]/g, "")
  return /^\d/.test(camel) ? `_${camel}` : camel
}

/** A part of a type's name: `change_email` and `changeEmail` become `ChangeEmail`. */
export const typeName = (text: string): string => {
  const camel = memberName(text)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/** A value's name in an enum: `verification_sent` becomes `VERIFICATION_SENT`. */
export const enumName = (value: string): string => {
  const upper = value
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase()
  return /^[A-Z]/.test(upper) ? upper : `_${upper}`
}

/** Types within the payload of an operation are named after the operation. */
export const baseOf = (name: string): string => name.replace(/Payload$/, "")
