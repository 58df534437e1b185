/** Stores in containers of Azure Blob Storage. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.azure {
  requires transitive dev.zarrreactive.store;
  requires transitive reactor.netty.http;
  requires dev.zarrreactive.http;
  requires dev.zarrreactive.objects;
  requires dev.zarrreactive.remote;
  requires io.netty.buffer;
  requires io.netty.codec.http;
  requires java.xml;
  requires reactor.netty.core;
  requires static com.azure.core;
  requires static com.azure.identity;
  requires static com.microsoft.aad.msal4j;

  exports dev.zarrreactive.azure;

  provides dev.zarrreactive.store.StoreProvider with
      dev.zarrreactive.azure.AzureStoreProvider;
  provides dev.zarrreactive.store.credential.CredentialSourceProvider with
      dev.zarrreactive.azure.AzureSourceProvider;
}
