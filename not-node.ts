// Browsers and runtimes other than Node get this file in place of `index.ts`. It has the same values: otherwise bundlers would report a
// missing export.

const refuse = (): never => {
  throw new Error("Sallyport runs on Node, not here")
}

export const Conflict = refuse()
export const ConfigurationFault = refuse()
export const DeliveryRefused = refuse()
export const defineConfig = refuse()
export const KeyManagementRefused = refuse()
export const KeyManagementUnavailable = refuse()
export const keptSecret = refuse()
export const nodeHandler = refuse()
export const StoreUnavailable = refuse()
export const sallyport = refuse()
export const Taken = refuse()
