/** Stores over HTTP and HTTPS. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.http {
  requires transitive dev.zarrreactive.store;
  requires dev.zarrreactive.remote;
  requires transitive reactor.netty.http;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.handler.proxy;
  requires io.netty.transport;
  requires transitive reactor.netty.core;

  exports dev.zarrreactive.http;
  exports dev.zarrreactive.internal.http to
      dev.zarrreactive.azure,
      dev.zarrreactive.credentials,
      dev.zarrreactive.gcs,
      dev.zarrreactive.objects,
      dev.zarrreactive.s3;

  provides dev.zarrreactive.store.StoreProvider with
      dev.zarrreactive.http.HttpStoreProvider;
}
