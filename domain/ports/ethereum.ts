import { Context, type Effect, type Option } from "effect"

/** Ethereum addresses and signatures. */
export class Ethereum extends Context.Service<
  Ethereum,
  {
    /** The EIP-55 checksum spelling of an address, which is `0x` and 40 hexadecimal digits. */
    checksummed(address: string): Effect.Effect<string>
    /**
     * The address that signed a text as wallets do (EIP-191, `personal_sign`), in checksum spelling. None unless the signature is `0x` and
     * 65 bytes in hexadecimal with a recovery identifier of 0, 1, 27 or 28, and has a low `s` (EIP-2). Otherwise each signature would have
     * a second form.
     */
    signer(text: string, signature: string): Effect.Effect<Option.Option<string>>
  }
>()("sallyport/Ethereum") {}
