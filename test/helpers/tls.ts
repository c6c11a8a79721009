const pem = (label: string, base64: string) =>
  `-----BEGIN ${label}-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END ${label}-----\n`

/** A self-signed certificate for localhost and 127.0.0.1, valid until 2126. */
export const CERTIFICATE = pem(
  'CERTIFICATE',
  'MIIBmjCCAUGgAwIBAgIUJ/MP5f4dhkVm12WJwbDsBJfRX8wwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxNTIzMFoYDzIxMjYxMDI4MDE1MjMwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQyVtnbm8WbTBVAbcG8Tv0+n5u1c8QTFayro+8tTFEEpPsX9cSzFGomXs/H1ETkUiBLVJBEFwxEWET+CpjNry2Ao28wbTAdBgNVHQ4EFgQU4SZBCSOCHVChBOnm/xGTKuDQgVgwHwYDVR0jBBgwFoAU4SZBCSOCHVChBOnm/xGTKuDQgVgwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDRwAwRAIgHprg6rud/AQ1ARKPiVL7hVX2tAtxbbWi5igzWSTT7C0CIGSznnZZFyUxv/c/t7lDjUozIS5W0e6esPUyEEDrkRL0',
)

/** The certificate's key. It is public and protects nothing. */
export const PRIVATE_KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggYzp99LaRnfLWfjRsJxEdTsFfGfF3FXo89Pjzt0rCk+hRANCAAQyVtnbm8WbTBVAbcG8Tv0+n5u1c8QTFayro+8tTFEEpPsX9cSzFGomXs/H1ETkUiBLVJBEFwxEWET+CpjNry2A',
)
