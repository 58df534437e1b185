/**
 * Sources of credentials by their names: the environment, files that are replaced, {@code .netrc},
 * Earthdata, Planetary Computer and Hugging Face.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.credentials {
  requires transitive dev.zarrreactive.store;
  requires dev.zarrreactive.format;
  requires dev.zarrreactive.http;
  requires dev.zarrreactive.remote;
  requires io.netty.buffer;
  requires io.netty.codec.http;
  requires reactor.netty.core;
  requires reactor.netty.http;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.credentials;

  provides dev.zarrreactive.store.StoreProvider with
      dev.zarrreactive.credentials.HuggingFaceProvider;
  provides dev.zarrreactive.store.credential.CredentialSourceProvider with
      dev.zarrreactive.credentials.CredentialsByName;
}
