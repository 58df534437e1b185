/** The engine that stores in a cloud share whose service is called over HTTP by this project. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.objects {
  requires transitive dev.zarrreactive.http;
  requires transitive dev.zarrreactive.remote;
  requires transitive dev.zarrreactive.store;
  requires transitive io.netty.buffer;
  requires transitive io.netty.codec.http;
  requires transitive reactor.netty.http;
  requires reactor.netty.core;

  exports dev.zarrreactive.internal.service to
      dev.zarrreactive.azure,
      dev.zarrreactive.gcs;
}
