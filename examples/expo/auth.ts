import * as Crypto from "expo-crypto"
import { File, Paths } from "expo-file-system"
import * as SecureStore from "expo-secure-store"
import * as WebBrowser from "expo-web-browser"
import { AppState } from "react-native"
import { createExpoClient } from "sallyport/expo"

export const client = createExpoClient({
  baseUrl: process.env.EXPO_PUBLIC_AUTH_URL ?? "http://localhost:3000",
  redirectUri: "com.example.app:/auth",
  store: SecureStore,
  marker: new File(Paths.document, "sallyport"),
  browser: WebBrowser,
  crypto: Crypto,
  appState: AppState,
})
