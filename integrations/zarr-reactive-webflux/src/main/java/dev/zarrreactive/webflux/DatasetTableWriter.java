package dev.zarrreactive.webflux;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.NotAcceptableStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes a table as CSV, as lines of JSON, or as a list of JSON. */
final class DatasetTableWriter implements HttpMessageWriter<DatasetTable> {
  private static final MediaType CSV = new MediaType("text", "csv");

  /** A cell counts as much among the bytes of a slice. */
  private static final int CELL = 8;

  private final ArraySliceWriter slices;

  /**
   * Creates a writer.
   *
   * @param slices bounds the size and the number of what is sent
   */
  DatasetTableWriter(ArraySliceWriter slices) {
    this.slices = slices;
  }

  @Override
  public List<MediaType> getWritableMediaTypes() {
    return List.of(CSV, MediaType.APPLICATION_NDJSON, MediaType.APPLICATION_JSON);
  }

  @Override
  public boolean canWrite(ResolvableType type, @Nullable MediaType mediaType) {
    return type.toClass() == DatasetTable.class
        && (mediaType == null
            || getWritableMediaTypes().stream().anyMatch(mediaType::isCompatibleWith));
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends DatasetTable> tables,
      ResolvableType type,
      @Nullable MediaType mediaType,
      ReactiveHttpOutputMessage message,
      Map<String, Object> hints) {
    return only(tables)
        .flatMap(
            table -> {
              DatasetTable.Form form = head(mediaType, message.getHeaders());
              return message.writeWith(
                  slices.admitted(
                      bytes(table), DataBuffers.of(table.text(form), message.bufferFactory())));
            });
  }

  /** Answers HEAD without a read. */
  @Override
  public Mono<Void> write(
      Publisher<? extends DatasetTable> tables,
      ResolvableType actualType,
      ResolvableType elementType,
      @Nullable MediaType mediaType,
      ServerHttpRequest request,
      ServerHttpResponse response,
      Map<String, Object> hints) {
    if (!request.getMethod().equals(HttpMethod.HEAD)) {
      return write(tables, elementType, mediaType, response, hints);
    }
    return only(tables)
        .flatMap(
            table -> {
              head(mediaType, response.getHeaders());
              return response.setComplete();
            });
  }

  private static Mono<DatasetTable> only(Publisher<? extends DatasetTable> tables) {
    return Flux.<DatasetTable>from(tables).singleOrEmpty();
  }

  private DatasetTable.Form head(@Nullable MediaType mediaType, HttpHeaders headers) {
    DatasetTable.Form form = form(mediaType == null ? CSV : mediaType);
    headers.setContentType(
        switch (form) {
          case CSV -> new MediaType(CSV, StandardCharsets.UTF_8);
          case LINES -> MediaType.APPLICATION_NDJSON;
          case LIST -> MediaType.APPLICATION_JSON;
        });
    return form;
  }

  private static long bytes(DatasetTable table) {
    long row = table.columns().size() * (long) CELL;
    return table.rowCount() > Long.MAX_VALUE / row ? Long.MAX_VALUE : table.rowCount() * row;
  }

  private DatasetTable.Form form(MediaType type) {
    if (type.isCompatibleWith(CSV)) {
      return DatasetTable.Form.CSV;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_NDJSON)) {
      return DatasetTable.Form.LINES;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
      return DatasetTable.Form.LIST;
    }
    throw new NotAcceptableStatusException(getWritableMediaTypes());
  }
}
