import type { Option } from "effect"
import { Context } from "effect"

/** Ethereum's addresses, and the signatures of those who have their keys. */
export class Ethereum extends Context.Service<
  Ethereum,
  {
    /** An address of 40 hexadecimal digits after `0x` in the one spelling that EIP-55 gives it. */
    checksummed(address: string): string
    /**
     * The address, in that spelling, whose key signed a text as wallets do (EIP-191, `personal_sign`). None for a signature that is not 65 bytes
     * in hexadecimal after `0x`, with a recovery of 0, 1, 27 or 28, or that is the second one that can be made of another (EIP-2).
     */
    signer(text: string, signature: string): Option.Option<string>
  }
>()("sallyport/Ethereum") {}
