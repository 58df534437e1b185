package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Selection;
import dev.zarrreactive.copy.ChunkBlocks.Block;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.internal.pipeline.Concurrently;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Copies the chunks of one array. Where grid and codecs stay, the stored bytes are handed on as
 * they are, and a chunk that is missing stays missing; otherwise every chunk of the copy is written
 * once, whole.
 */
final class ArrayCopy {
  private final ZarrArray source;
  private final ZarrArray copy;

  ArrayCopy(ZarrArray source, ZarrArray copy) {
    this.source = source;
    this.copy = copy;
  }

  /** The number of chunks of the copy; {@link Long#MAX_VALUE} where there are more. */
  long chunkCount() {
    return Sizes.count(copy.chunkGrid().gridShape());
  }

  /** The size of the elements; {@link Long#MAX_VALUE} where it is more. */
  long byteSize() {
    return Sizes.bytes(copy.shape(), copy.dataType());
  }

  /**
   * Copies the chunks.
   *
   * @param limits what may be used
   * @param trusted true where chunks that are stored in the copy are what they should be, and need
   *     not be copied again
   */
  Flux<Step> chunks(ZarrOptions limits, boolean trusted) {
    return ArrayConversion.keepsChunks(source.metadata(), copy.metadata())
        ? encodedChunks(limits, trusted)
        : decodedBlocks(limits, trusted);
  }

  /** An encoded chunk is taken to be no larger than the decoded one. */
  private Flux<Step> encodedChunks(ZarrOptions limits, boolean trusted) {
    long size = Sizes.bytes(copy.chunkGrid().largestChunkShape(), copy.dataType());
    return Concurrently.map(
        Flux.fromIterable(ChunkBlocks.single(copy.chunkGrid(), copy.shape())),
        ReadPlan.ofSize(size, limits),
        chunk ->
            trusted
                ? isStored(chunk)
                    .flatMap(stored -> stored ? skipped(chunk) : copied(chunk, encoded(chunk)))
                : copied(chunk, encoded(chunk)));
  }

  private Mono<Void> encoded(Block chunk) {
    return source
        .readEncodedChunk(chunk.first())
        .flatMap(bytes -> copy.writeEncodedChunk(bytes, chunk.first()));
  }

  private Flux<Step> decodedBlocks(ZarrOptions limits, boolean trusted) {
    return Flux.defer(
        () -> {
          ReadPlan plan = ReadPlan.of(source, copy, limits);
          ZarrArray from = source.withOptions(plan.optionsOfBlock());
          ZarrArray to = copy.withOptions(plan.optionsOfBlock());
          return Concurrently.map(
              Flux.fromIterable(plan.blocks()),
              plan.concurrency(),
              block ->
                  trusted
                      ? whatIsMissing(block, from, to)
                      : copied(block, decoded(block, from, to)));
        });
  }

  private static Mono<Void> decoded(Block block, ZarrArray from, ZarrArray to) {
    Selection selection = block.selection();
    return from.read(selection).flatMap(data -> to.write(selection, retyped(data, to)));
  }

  /** What the format of the copy calls elements of the same bytes. */
  private static NdArray retyped(NdArray data, ZarrArray to) {
    return data.dataType().equals(to.dataType())
        ? data
        : NdArray.wrap(to.dataType(), data.shape(), data.bytes());
  }

  /** A block of which nothing is stored is read as one; of any other, what is missing. */
  private Flux<Step> whatIsMissing(Block block, ZarrArray from, ZarrArray to) {
    return Flux.fromIterable(block.chunks())
        .concatMap(chunk -> isStored(chunk).map(stored -> new Found(chunk, stored)), 0)
        .collectList()
        .flatMapMany(
            chunks ->
                chunks.stream().noneMatch(Found::stored)
                    ? copied(block, decoded(block, from, to))
                    : Flux.fromIterable(chunks)
                        .concatMap(
                            found ->
                                found.stored()
                                    ? skipped(found.chunk())
                                    : copied(found.chunk(), decoded(found.chunk(), from, to)),
                            0));
  }

  private record Found(Block chunk, boolean stored) {}

  private Mono<Boolean> isStored(Block chunk) {
    return copy.isChunkStored(chunk.first());
  }

  private Mono<Step> skipped(Block chunk) {
    return Mono.just(new Step(copy.path(), 0, chunk.chunkCount(), chunk.chunkCount()));
  }

  private Mono<Step> copied(Block block, Mono<Void> work) {
    return work.thenReturn(new Step(copy.path(), 0, block.chunkCount(), 0));
  }
}
