import type { Layer, Redacted } from "effect"
import type { HttpClient } from "effect/http"
import type { Mailer } from "../../domain/ports/mailer.ts"
import type { SmsSender } from "../../domain/ports/sms-sender.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { adapterFor, type Check } from "./adapter.ts"

/** What mail and short messages have in common. */
export interface SelectedDelivery {
  /** For the banner of the start. */
  readonly label: string
  /** A check that needs no connection; a start logs its fault as a warning. */
  readonly stateOf?: (settings: SettingsValue, isNeeded: boolean) => Check
  /** A check that connects. */
  readonly check?: Check
}

/** The domain of the sender, and the selector of the DKIM key with which the mail server signs. */
export interface MailSender {
  readonly domain: string
  readonly dkimSelector: string | undefined
}

/** A selected mailer. */
export interface SelectedMailer extends SelectedDelivery {
  /** `hasPages`: whether the service serves the pages that mails link to. */
  readonly layer: (options: { readonly hasPages: boolean }) => Layer.Layer<Mailer>
  /** The sender, whose domain the DNS has to authenticate. */
  readonly sender?: MailSender | undefined
}
export const mailAdapter = adapterFor<SelectedMailer>()

type Secrets = ReadonlyArray<Redacted.Redacted>

/** A selected sender of short messages. */
export interface SelectedSmsSender extends SelectedDelivery {
  /** `secrets`: those of the service, from which a key can be derived. */
  readonly layer: (secrets: Secrets) => Layer.Layer<SmsSender, never, HttpClient.HttpClient>
  /** The configured secrets with which the receiver verifies signatures. */
  readonly signingSecrets?: Secrets
}
export const smsAdapter = adapterFor<SelectedSmsSender>()
