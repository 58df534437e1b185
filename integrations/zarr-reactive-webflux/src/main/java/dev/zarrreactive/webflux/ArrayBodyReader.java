package dev.zarrreactive.webflux;

import dev.zarrreactive.array.NdArray;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpInputMessage;
import org.springframework.http.codec.HttpMessageReader;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the body of a request as an {@link ArrayBody}, or as a whole array. */
final class ArrayBodyReader implements HttpMessageReader<Object> {
  private final IntSupplier maxBytes;

  /**
   * Creates a reader.
   *
   * @param maxBytes the most bytes in memory; less than 0 for any number
   */
  ArrayBodyReader(IntSupplier maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public List<MediaType> getReadableMediaTypes() {
    return ArrayBody.TYPES;
  }

  @Override
  public boolean canRead(ResolvableType type, @Nullable MediaType mediaType) {
    Class<?> wanted = type.toClass();
    return (wanted == ArrayBody.class || wanted == NdArray.class)
        && (mediaType == null
            || ArrayBody.TYPES.stream().anyMatch(known -> known.includes(mediaType)));
  }

  @Override
  public Flux<Object> read(
      ResolvableType type, ReactiveHttpInputMessage message, Map<String, Object> hints) {
    return readMono(type, message, hints).flux();
  }

  @Override
  public Mono<Object> readMono(
      ResolvableType type, ReactiveHttpInputMessage message, Map<String, Object> hints) {
    int most = maxBytes.getAsInt();
    ArrayBody body =
        new ArrayBody(
            message.getBody(), message.getHeaders(), most < 0 ? Integer.MAX_VALUE - 8 : most);
    return type.toClass() == NdArray.class ? body.array().cast(Object.class) : Mono.just(body);
  }
}
