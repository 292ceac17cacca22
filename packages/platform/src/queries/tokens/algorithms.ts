/** By what `alg` says a key is: never may the caller's choice of one turn a public key into a shared secret. */
export const shared = ['HS256', 'HS384', 'HS512']
export const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
export const elliptic = ['ES256', 'ES384', 'ES512']
export const edwards = ['EdDSA', 'Ed25519']

/** All with which a token can be signed. */
export const algorithmNames: readonly string[] = [...shared, ...rsa, ...elliptic, ...edwards]
