/** A server of a store, and of slices of its arrays, over HTTP. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.server {
  requires transitive dev.zarrreactive.core;
  requires transitive dev.zarrreactive.credentials;
  requires dev.zarrreactive.dataset;
  requires dev.zarrreactive.geo;
  requires dev.zarrreactive.ome;
  requires dev.zarrreactive.encodings;
  requires dev.zarrreactive.http;
  requires transitive reactor.netty.http;
  requires transitive io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires transitive reactor.netty.core;

  exports dev.zarrreactive.server;
}
