/** Stores in buckets of S3. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.s3 {
  requires transitive dev.zarrreactive.store;
  requires transitive software.amazon.awssdk.services.s3;
  requires dev.zarrreactive.http;
  requires dev.zarrreactive.remote;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires reactor.netty.core;
  requires reactor.netty.http;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.checksums;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires software.amazon.awssdk.http.auth.aws;
  requires software.amazon.awssdk.http.auth.spi;
  requires software.amazon.awssdk.http.nio.netty;
  requires transitive software.amazon.awssdk.identity.spi;
  requires software.amazon.awssdk.metrics;
  requires software.amazon.awssdk.profiles;
  requires software.amazon.awssdk.protocols.query;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.utils;
  requires static reactor.blockhound;

  exports dev.zarrreactive.s3;

  provides dev.zarrreactive.store.credential.CredentialSourceProvider with
      dev.zarrreactive.s3.S3CredentialSources;
  provides dev.zarrreactive.store.StoreProvider with
      dev.zarrreactive.s3.S3StoreProvider;
}
