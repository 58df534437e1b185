package dev.zarrreactive.gcs;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A server that speaks the XML API of Google Cloud Storage after its documentation, on this
 * machine, with its objects in memory: generations and conditions on them, ranges, listings in
 * pages, uploads in sessions, bearer tokens. The emulators lack conditions, pages and sessions of
 * this API. Starting it blocks.
 */
public final class XmlApiServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger BUCKETS = new AtomicInteger();
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");
  private static final Pattern SENT = Pattern.compile("bytes (\\*|(\\d+)-(\\d+))/(\\*|\\d+)");
  private static final int UNIT = 256 << 10;

  private final AtomicLong generations = new AtomicLong(1_700_000_000_000_000L);
  private final Map<String, NavigableMap<String, Stored>> buckets = new ConcurrentHashMap<>();
  private static final String MARK = "x-goog-meta-zarrwrite";

  private final Map<String, Session> sessions = new ConcurrentHashMap<>();

  /** The multipart uploads that have not ended, in the order of their objects and ids. */
  private final NavigableMap<String, Multipart> multiparts = new ConcurrentSkipListMap<>();

  private final AtomicInteger pages = new AtomicInteger(1000);
  private final DisposableServer server;

  /** The parts of uploads whose answers are lost. */
  private final AtomicInteger lost = new AtomicInteger();

  /** The most bytes of a part that are kept. */
  private final AtomicInteger kept = new AtomicInteger(Integer.MAX_VALUE);

  /** Says which tokens are valid; null for a server that asks for none. */
  private volatile @Nullable Predicate<String> tokens;

  private record Stored(long generation, byte[] value, String etag, String writeId, Instant time) {}

  private static final class Session {
    final String bucket;
    final String object;
    final @Nullable String condition;
    final String writeId;
    byte[] has = new byte[0];
    @Nullable Stored done;

    Session(String bucket, String object, Map<String, String> headers) {
      this.bucket = bucket;
      this.object = object;
      this.condition = headers.get("x-goog-if-generation-match");
      this.writeId = headers.getOrDefault(MARK, "");
    }
  }

  /** A multipart upload, as programs begin it that speak S3. */
  private record Multipart(
      String bucket, String object, String id, Instant begun, List<Integer> parts) {}

  private record Answer(int status, Map<String, String> headers, byte[] body) {
    static Answer of(int status) {
      return new Answer(status, new LinkedHashMap<>(), new byte[0]);
    }

    static Answer error(int status, String code) {
      byte[] body =
          ("<?xml version='1.0' encoding='UTF-8'?><Error><Code>"
                  + code
                  + "</Code><Message>m3ssage</Message></Error>")
              .getBytes(StandardCharsets.UTF_8);
      return new Answer(status, new LinkedHashMap<>(), body)
          .with("content-type", "application/xml; charset=UTF-8");
    }

    Answer with(String name, String value) {
      headers.put(name, value);
      return this;
    }
  }

  private XmlApiServer() {
    server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .httpRequestDecoder(spec -> spec.maxInitialLineLength(64 << 10))
            .handle(this::handle)
            .bindNow(PATIENCE);
  }

  /** A server on a free port. */
  public static XmlApiServer start() {
    return new XmlApiServer();
  }

  /** The server that the tests of this JVM share; it is never stopped. */
  public static XmlApiServer shared() {
    return Shared.SERVER;
  }

  /** Where the server is. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** A new bucket, which nobody else uses. */
  public String newBucket() {
    String bucket = "bucket-" + BUCKETS.incrementAndGet();
    buckets.put(bucket, new TreeMap<>());
    return bucket;
  }

  /** Settings of a store in a bucket. */
  public GcsStoreBuilder at(String bucket) {
    return GcsStore.at(bucket).endpoint(uri());
  }

  /** Puts an object into a bucket, without a request. */
  public void put(String bucket, String object, byte[] value) {
    NavigableMap<String, Stored> objects = buckets.get(bucket);
    synchronized (objects) {
      objects.put(object, stored(value, ""));
    }
  }

  /** Sets the number of names in a page of a listing. */
  public void pagesOf(int names) {
    pages.set(names);
  }

  /** Keeps parts of uploads, and answers 503. */
  public void loseAnswersOfParts(int number) {
    lost.set(number);
  }

  /** Keeps no more of each part that is not the last one. */
  public void keepOfParts(int bytes) {
    kept.set(bytes);
  }

  /** Asks for tokens, and answers 401 to others. */
  public void accept(Predicate<String> valid) {
    tokens = valid;
  }

  /**
   * Begins a multipart upload, as a program that speaks S3, and leaves it.
   *
   * @param parts the sizes of its parts
   */
  public void beginMultipart(String bucket, String object, Instant begun, Integer... parts) {
    String id = "VXBs" + generations.incrementAndGet() + "+/=";
    multiparts.put(object + "\0" + id, new Multipart(bucket, object, id, begun, List.of(parts)));
  }

  /** The objects of the multipart uploads that have not ended. */
  public List<String> multiparts() {
    return multiparts.values().stream().map(Multipart::object).toList();
  }

  /** The number of uploads that have not ended. */
  public int openSessions() {
    return (int) sessions.values().stream().filter(session -> session.done == null).count();
  }

  @Override
  public void close() {
    server.disposeNow(PATIENCE);
  }

  private static final class Shared {
    static final XmlApiServer SERVER = start();
  }

  private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    return request
        .receive()
        .aggregate()
        .asByteArray()
        .defaultIfEmpty(new byte[0])
        .map(body -> answer(request, body))
        .flatMap(
            answer -> {
              boolean isHead = request.method().equals(HttpMethod.HEAD);
              response.status(answer.status());
              answer.headers().forEach(response::header);
              response.header("x-guploader-uploadid", "of-a-test");
              boolean hasNone = answer.status() == 304 || answer.status() == 204;
              if (!hasNone) {
                response.header("content-length", String.valueOf(answer.body().length));
              }
              return isHead || hasNone
                  ? response.send().then()
                  : response
                      .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(answer.body())))
                      .then();
            });
  }

  private Answer answer(HttpServerRequest request, byte[] body) {
    String uri = request.uri();
    int mark = uri.indexOf('?');
    String path = (mark < 0 ? uri : uri.substring(0, mark)).substring(1);
    Map<String, String> query = query(mark < 0 ? "" : uri.substring(mark + 1));
    int slash = path.indexOf('/');
    String bucket = slash < 0 ? path : path.substring(0, slash);
    String object = slash < 0 ? "" : decoded(path.substring(slash + 1));
    Predicate<String> valid = tokens;
    String given = String.valueOf(request.requestHeaders().get("authorization"));
    if (valid != null && !query.containsKey("upload_id") && !valid.test(given)) {
      return Answer.error(401, "AuthenticationRequired");
    }
    NavigableMap<String, Stored> objects = buckets.get(bucket);
    if (objects == null) {
      return Answer.error(404, "NoSuchBucket");
    }
    synchronized (objects) {
      if (object.isEmpty()) {
        return query.containsKey("uploads") ? uploads(bucket, query) : list(bucket, objects, query);
      }
      if (query.containsKey("uploadId")) {
        return multipart(request.method().name(), object, query);
      }
      String method = request.method().name();
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      request.requestHeaders().forEach(each -> headers.put(each.getKey(), each.getValue()));
      if (query.containsKey("upload_id")) {
        return upload(method, objects, query.get("upload_id"), headers, body);
      }
      return switch (method) {
        case "GET", "HEAD" -> get(objects.get(object), headers);
        case "PUT" -> put(objects, object, headers, body);
        case "POST" -> begin(bucket, object, headers);
        case "DELETE" -> delete(objects, object, headers);
        default -> Answer.error(405, "MethodNotAllowed");
      };
    }
  }

  private static boolean holds(@Nullable String condition, @Nullable Stored now) {
    return condition == null || Long.parseLong(condition) == (now == null ? 0 : now.generation());
  }

  private Answer get(@Nullable Stored object, Map<String, String> headers) {
    String condition = headers.get("x-goog-if-generation-match");
    if (object == null) {
      return Answer.error(404, "NoSuchKey");
    }
    String match = headers.get("if-match");
    if (!holds(condition, object) || (match != null && !match.equals(object.etag()))) {
      return Answer.error(412, "PreconditionFailed");
    }
    String since = headers.get("if-unmodified-since");
    if (since != null
        && object.time().isAfter(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(since)))) {
      return Answer.error(412, "PreconditionFailed");
    }
    if (object.etag().equals(headers.get("if-none-match"))) {
      return described(Answer.of(304), object);
    }
    byte[] value = object.value();
    Matcher range = RANGE.matcher(String.valueOf(headers.get("range")));
    if (!range.matches()) {
      return described(new Answer(200, new LinkedHashMap<>(), value), object);
    }
    boolean isSuffix = range.group(1).isEmpty();
    long first =
        isSuffix
            ? Math.max(0, value.length - Long.parseLong(range.group(2)))
            : Long.parseLong(range.group(1));
    long last =
        isSuffix || range.group(2).isEmpty()
            ? value.length - 1
            : Math.min(value.length - 1, Long.parseLong(range.group(2)));
    if (first > last) {
      return Answer.error(416, "InvalidRange").with("content-range", "bytes */" + value.length);
    }
    return described(
        new Answer(
                206, new LinkedHashMap<>(), Arrays.copyOfRange(value, (int) first, (int) last + 1))
            .with("content-range", "bytes " + first + "-" + last + "/" + value.length),
        object);
  }

  private static Answer described(Answer answer, Stored object) {
    if (!object.writeId().isEmpty()) {
      answer.with(MARK, object.writeId());
    }
    return answer
        .with("etag", object.etag())
        .with("x-goog-generation", String.valueOf(object.generation()))
        .with("content-type", "application/octet-stream")
        .with(
            "last-modified",
            DateTimeFormatter.RFC_1123_DATE_TIME.format(object.time().atOffset(ZoneOffset.UTC)));
  }

  private Answer put(
      NavigableMap<String, Stored> objects,
      String object,
      Map<String, String> headers,
      byte[] body) {
    if (!holds(headers.get("x-goog-if-generation-match"), objects.get(object))) {
      return Answer.error(412, "PreconditionFailed");
    }
    Stored made = stored(body, headers.getOrDefault(MARK, ""));
    objects.put(object, made);
    return described(Answer.of(200), made);
  }

  private Answer begin(String bucket, String object, Map<String, String> headers) {
    if (!"start".equals(headers.get("x-goog-resumable"))) {
      return Answer.error(400, "InvalidArgument");
    }
    String id = "session-" + generations.incrementAndGet();
    sessions.put(id, new Session(bucket, object, headers));
    return Answer.of(201)
        .with(
            "location",
            "http://"
                + headers.get("host")
                + "/"
                + bucket
                + "/"
                + object.replaceAll("[^A-Za-z0-9/]", "_")
                + "?upload_id="
                + id);
  }

  private Answer upload(
      String method,
      NavigableMap<String, Stored> objects,
      String id,
      Map<String, String> headers,
      byte[] body) {
    Session session = sessions.get(id);
    if (session == null) {
      return Answer.error(404, "NoSuchUpload");
    }
    if (method.equals("DELETE")) {
      sessions.remove(id);
      return Answer.of(204);
    }
    if (session.done != null) {
      return described(Answer.of(200), session.done);
    }
    Matcher sent = SENT.matcher(String.valueOf(headers.get("content-range")));
    if (!sent.matches()) {
      return Answer.error(400, "InvalidArgument");
    }
    boolean isLast = !sent.group(4).equals("*");
    if (sent.group(2) != null) {
      long first = Long.parseLong(sent.group(2));
      boolean isWhole = Long.parseLong(sent.group(3)) - first + 1 == body.length;
      if (!isWhole || first != session.has.length || (!isLast && body.length % UNIT != 0)) {
        return Answer.error(400, "InvalidArgument");
      }
      int count = isLast ? body.length : Math.min(kept.get(), body.length);
      byte[] all = Arrays.copyOf(session.has, session.has.length + count);
      System.arraycopy(body, 0, all, session.has.length, count);
      session.has = all;
      if (lost.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return Answer.error(503, "InternalError");
      }
    }
    if (isLast && session.has.length == Long.parseLong(sent.group(4))) {
      if (!holds(session.condition, objects.get(session.object))) {
        return Answer.error(412, "PreconditionFailed");
      }
      Stored made = stored(session.has, session.writeId);
      session.done = made;
      objects.put(session.object, made);
      return described(Answer.of(200), made);
    }
    Answer more = Answer.of(308);
    return session.has.length == 0
        ? more
        : more.with("range", "bytes=0-" + (session.has.length - 1));
  }

  private Answer uploads(String bucket, Map<String, String> query) {
    String prefix = query.getOrDefault("prefix", "");
    String after =
        query.containsKey("key-marker")
            ? query.get("key-marker") + "\0" + query.getOrDefault("upload-id-marker", "\uffff")
            : "";
    List<Multipart> found =
        multiparts.tailMap(after, false).values().stream()
            .filter(each -> each.bucket().equals(bucket) && each.object().startsWith(prefix))
            .toList();
    StringBuilder xml =
        new StringBuilder("<?xml version='1.0' encoding='UTF-8'?>")
            .append("<ListMultipartUploadsResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>")
            .append("<Bucket>" + bucket + "</Bucket>");
    List<Multipart> shown = found.subList(0, Math.min(pages.get(), found.size()));
    for (Multipart each : shown) {
      xml.append("<Upload><Key>" + escaped(each.object()) + "</Key>")
          .append("<UploadId>" + escaped(each.id()) + "</UploadId>")
          .append("<StorageClass>STANDARD</StorageClass>")
          .append("<Initiated>" + each.begun() + "</Initiated></Upload>");
    }
    boolean isCut = shown.size() < found.size();
    if (isCut) {
      Multipart last = shown.get(shown.size() - 1);
      xml.append("<NextKeyMarker>" + escaped(last.object()) + "</NextKeyMarker>")
          .append("<NextUploadIdMarker>" + escaped(last.id()) + "</NextUploadIdMarker>");
    }
    return xml(xml.append("<IsTruncated>" + isCut + "</IsTruncated></ListMultipartUploadsResult>"));
  }

  private Answer multipart(String method, String object, Map<String, String> query) {
    String place = object + "\0" + query.get("uploadId");
    Multipart upload = multiparts.get(place);
    if (upload == null) {
      return Answer.error(404, "NoSuchUpload");
    }
    if (method.equals("DELETE")) {
      multiparts.remove(place);
      return Answer.of(204);
    }
    int after = Integer.parseInt(query.getOrDefault("part-number-marker", "0"));
    int end = Math.min(upload.parts().size(), after + pages.get());
    StringBuilder xml =
        new StringBuilder("<?xml version='1.0' encoding='UTF-8'?>")
            .append("<ListPartsResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>");
    for (int part = after; part < end; part++) {
      xml.append("<Part><PartNumber>" + (part + 1) + "</PartNumber>")
          .append("<Size>" + upload.parts().get(part) + "</Size></Part>");
    }
    return xml(
        xml.append("<NextPartNumberMarker>" + end + "</NextPartNumberMarker><IsTruncated>")
            .append(end < upload.parts().size())
            .append("</IsTruncated></ListPartsResult>"));
  }

  private static Answer xml(StringBuilder text) {
    return new Answer(200, new LinkedHashMap<>(), text.toString().getBytes(StandardCharsets.UTF_8))
        .with("content-type", "application/xml; charset=UTF-8");
  }

  private Answer delete(
      NavigableMap<String, Stored> objects, String object, Map<String, String> headers) {
    Stored now = objects.get(object);
    if (now == null) {
      return Answer.error(404, "NoSuchKey");
    }
    if (!holds(headers.get("x-goog-if-generation-match"), now)) {
      return Answer.error(412, "PreconditionFailed");
    }
    objects.remove(object);
    return Answer.of(204);
  }

  private Answer list(
      String bucket, NavigableMap<String, Stored> objects, Map<String, String> query) {
    String prefix = query.getOrDefault("prefix", "");
    String delimiter = query.getOrDefault("delimiter", "");
    String after = query.getOrDefault("continuation-token", "");
    int most = Math.min(pages.get(), Integer.parseInt(query.getOrDefault("max-keys", "1000")));
    StringBuilder xml =
        new StringBuilder("<?xml version='1.0' encoding='UTF-8'?>")
            .append("<ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><Name>")
            .append(bucket)
            .append("</Name>");
    TreeSet<String> below = new TreeSet<>();
    int count = 0;
    String last = "";
    boolean isCut = false;
    for (Map.Entry<String, Stored> each : objects.entrySet()) {
      String name = each.getKey();
      if (!name.startsWith(prefix)) {
        continue;
      }
      int end = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
      String shown = end < 0 ? name : name.substring(0, end + delimiter.length());
      if (shown.compareTo(after) <= 0 || below.contains(shown)) {
        continue;
      }
      if (count == most) {
        isCut = true;
        break;
      }
      count++;
      last = shown;
      if (end < 0) {
        xml.append("<Contents><Key>")
            .append(escaped(name))
            .append("</Key><Generation>")
            .append(each.getValue().generation())
            .append("</Generation><LastModified>")
            .append(each.getValue().time())
            .append("</LastModified><ETag>")
            .append(escaped(each.getValue().etag()))
            .append("</ETag><Size>")
            .append(each.getValue().value().length)
            .append("</Size></Contents>");
      } else {
        below.add(shown);
      }
    }
    for (String each : below) {
      xml.append("<CommonPrefixes><Prefix>")
          .append(escaped(each))
          .append("</Prefix></CommonPrefixes>");
    }
    xml.append("<IsTruncated>").append(isCut).append("</IsTruncated>");
    if (isCut) {
      xml.append("<NextContinuationToken>")
          .append(escaped(last))
          .append("</NextContinuationToken>");
    }
    xml.append("</ListBucketResult>");
    return xml(xml);
  }

  private Stored stored(byte[] value, String writeId) {
    try {
      String etag =
          "\"" + HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(value)) + "\"";
      return new Stored(generations.incrementAndGet(), value, etag, writeId, Instant.now());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      query.put(
          equals < 0 ? pair : pair.substring(0, equals),
          equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return query;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String decoded(String text) {
    byte[] bytes = new byte[text.length()];
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes[count++] = (byte) Integer.parseInt(text.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[count++] = (byte) c;
      }
    }
    return new String(bytes, 0, count, StandardCharsets.UTF_8);
  }
}
