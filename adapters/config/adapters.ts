import { keyManagements } from "../key-management/adapters.ts"
import { adapterOf } from "../kinds/adapter.ts"
import type { SelectedMailer, SelectedSmsSender } from "../kinds/delivery.ts"
import type { SelectedStore } from "../kinds/store.ts"
import { mailers } from "../mail/adapters.ts"
import { memory } from "../memory/memory-adapter.ts"
import { mongo } from "../mongo/mongo-adapter.ts"
import { ownStore } from "../own/store.ts"
import { embedded } from "../postgres/embedded-adapter.ts"
import { postgres } from "../postgres/postgres-adapter.ts"
import { smsSenders } from "../sms/adapters.ts"

const stores = [embedded, postgres, mongo, memory, ownStore]

/** The sections of the configuration whose `kind` selects an adapter. */
export const adapters = { store: stores, mail: mailers, sms: smsSenders, key_management: keyManagements }

/** The store that the configuration selects. */
export const storeOf = (settings: (typeof stores)[number]["settings"]["Type"]): SelectedStore =>
  adapterOf<SelectedStore>(stores, settings).select(settings)

/** The mailer that the configuration selects. */
export const mailerOf = (settings: (typeof mailers)[number]["settings"]["Type"]): SelectedMailer =>
  adapterOf<SelectedMailer>(mailers, settings).select(settings)

/** The sender of short messages that the configuration selects. */
export const smsSenderOf = (settings: (typeof smsSenders)[number]["settings"]["Type"]): SelectedSmsSender =>
  adapterOf<SelectedSmsSender>(smsSenders, settings).select(settings)
