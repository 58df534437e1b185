package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * What requests are told and what their answers mean.
 *
 * @param prefix empty, or ends with a slash
 */
record S3Settings(
    String bucket,
    String prefix,
    boolean requesterPays,
    boolean forbiddenIsMissing,
    boolean unquotedETags,
    boolean versionIds,
    boolean conditionalWrites,
    boolean conditionalErase,
    Duration stallTimeout,
    int resumes,
    long multipartThreshold,
    int partSize,
    boolean conditionalMultipart,
    boolean expectContinue) {

  /** The object that the value at {@code key} is in. */
  String object(StoreKey key) {
    return prefix + key.value();
  }

  /** What the names of all objects below {@code below} begin with. */
  String objects(StorePrefix below) {
    return prefix + below.value();
  }

  /** For errors. */
  String url(StoreKey key) {
    return "s3://" + bucket + "/" + object(key);
  }

  /** For errors. */
  String url(StorePrefix below) {
    return "s3://" + bucket + "/" + objects(below);
  }

  static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }

  static Location at(StorePrefix below) {
    return below.value().isEmpty() ? Location.UNKNOWN : Location.ofKey(below.value());
  }

  @Nullable RequestPayer payer() {
    return requesterPays ? RequestPayer.REQUESTER : null;
  }

  /** Returns a GET of the value, without a range. */
  GetObjectRequest.Builder get(StoreKey key) {
    return GetObjectRequest.builder().bucket(bucket).key(object(key)).requestPayer(payer());
  }

  /** An ETag as the server wants it in conditions; null for none. */
  @Nullable String asSent(@Nullable String etag) {
    return etag != null && unquotedETags ? etag.replace("\"", "") : etag;
  }

  /** The tag of an answer. */
  ObjectVersion tag(@Nullable String etag, @Nullable String id) {
    return ObjectVersion.of(etag, versionIds ? id : null);
  }
}
