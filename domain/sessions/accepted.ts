import { Context, type DateTime } from "effect"

/** Notes that the session or the refresh token of a user was accepted. It runs in many requests, so it only remembers. */
export type NoteAccepted = (user_id: string, at: DateTime.Utc) => void

/** Notes every accepted session and refresh token, except sessions in which another user acts. Without it, nothing is noted. */
export const Accepted = Context.Reference<NoteAccepted | undefined>("sallyport/Accepted", { defaultValue: () => undefined })
