package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes chunks as server-sent events, each with the JSON of a line of NDJSON as its data: {@code
 * Flux<Chunk>} and {@code Flux<ServerSentEvent<Chunk>>}. One chunk is demanded at a time, where the
 * writer of Spring demands 32 and makes the whole text of each.
 */
final class ChunkEventWriter implements HttpMessageWriter<Object> {
  private static final MediaType UTF_8 =
      new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8);

  @Override
  public List<MediaType> getWritableMediaTypes() {
    return List.of(MediaType.TEXT_EVENT_STREAM);
  }

  @Override
  public boolean canWrite(ResolvableType elementType, @Nullable MediaType mediaType) {
    boolean isEvents = mediaType == null || MediaType.TEXT_EVENT_STREAM.includes(mediaType);
    Class<?> type = elementType.toClass();
    boolean isOfChunks =
        type == Chunk.class
            || (ServerSentEvent.class.isAssignableFrom(type)
                && elementType.getGeneric().toClass() == Chunk.class);
    return isEvents && isOfChunks;
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends Object> events,
      ResolvableType elementType,
      @Nullable MediaType mediaType,
      ReactiveHttpOutputMessage message,
      Map<String, Object> hints) {
    message.getHeaders().setContentType(UTF_8);
    Flux<Bytes> pieces = Flux.<Object>from(events).concatMap(ChunkEventWriter::event, 1);
    return message.writeAndFlushWith(
        DataBuffers.of(pieces, message.bufferFactory()).map(Mono::just));
  }

  private static Flux<Bytes> event(Object event) {
    if (event instanceof Chunk chunk) {
      return ChunkText.pieces("data:", chunk, "\n\n");
    }
    ServerSentEvent<?> given = (ServerSentEvent<?>) event;
    String fields = fields(given);
    return given.data() instanceof Chunk chunk
        ? ChunkText.pieces(fields + "data:", chunk, "\n\n")
        : Flux.just(Bytes.utf8(fields + "\n"));
  }

  private static String fields(ServerSentEvent<?> event) {
    StringBuilder fields = new StringBuilder();
    field("id", event.id(), fields);
    field("event", event.event(), fields);
    Duration retry = event.retry();
    field("retry", retry == null ? null : Long.toString(retry.toMillis()), fields);
    String comment = event.comment();
    if (comment != null) {
      comment.lines().forEach(line -> fields.append(':').append(line).append('\n'));
    }
    return fields.toString();
  }

  private static void field(String name, @Nullable String value, StringBuilder fields) {
    if (value == null) {
      return;
    }
    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(
          "the " + name + " of a server-sent event has a line break, which would end it");
    }
    fields.append(name).append(':').append(value).append('\n');
  }
}
