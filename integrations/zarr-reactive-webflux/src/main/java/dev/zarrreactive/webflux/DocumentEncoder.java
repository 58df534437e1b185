package dev.zarrreactive.webflux;

import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodeMetadata;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.AbstractEncoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Encodes metadata as their document, and JSON values; several of them as a list, whose bracket
 * comes with the first, so that an error before it has a status.
 */
final class DocumentEncoder extends AbstractEncoder<Object> {
  DocumentEncoder() {
    super(MimeTypeUtils.APPLICATION_JSON);
  }

  @Override
  public boolean canEncode(ResolvableType elementType, @Nullable MimeType mimeType) {
    Class<?> type = elementType.toClass();
    return super.canEncode(elementType, mimeType)
        && (NodeMetadata.class.isAssignableFrom(type) || JsonValue.class.isAssignableFrom(type));
  }

  @Override
  public Flux<DataBuffer> encode(
      Publisher<?> values,
      DataBufferFactory factory,
      ResolvableType elementType,
      @Nullable MimeType mimeType,
      @Nullable Map<String, Object> hints) {
    if (values instanceof Mono<?> value) {
      return value.map(json -> buffer(text(json), factory)).flux();
    }
    Flux<String> elements =
        Flux.from(values).index((number, json) -> (number == 0 ? "[" : ",") + text(json));
    return elements.defaultIfEmpty("[").concatWithValues("]").map(text -> buffer(text, factory));
  }

  @Override
  public DataBuffer encodeValue(
      Object value,
      DataBufferFactory factory,
      ResolvableType valueType,
      @Nullable MimeType mimeType,
      @Nullable Map<String, Object> hints) {
    return buffer(text(value), factory);
  }

  private static DataBuffer buffer(String text, DataBufferFactory factory) {
    return factory.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Object value) {
    return (value instanceof NodeMetadata node ? node.document() : (JsonValue) value).toString();
  }
}
