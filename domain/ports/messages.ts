/** One mail, ready to be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The language of the texts (BCP 47), for the header field `Content-Language`. Absent in mails that an earlier version wrote. */
  readonly language?: string
  /**
   * The local part of the Message-ID; the mailer adds its domain. It is the same for every
   * attempt to send one mail, so that a receiver can drop duplicates.
   */
  readonly messageId: string
}

/** One short message, ready to be sent. */
export interface Sms {
  /** The number as the user typed it. */
  readonly to: string
  readonly text: string
  /** The same for every attempt to send one message, so that a gateway can drop duplicates. */
  readonly id: string
}
