package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Selection;
import dev.zarrreactive.copy.ChunkBlocks.Block;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.internal.flow.Concurrently;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Copies the chunks of one array. Where grid and codecs stay, the stored bytes are handed on as
 * they are, and a chunk that is missing stays missing, unless that would mean other values in the
 * copy; otherwise every chunk of the copy is written once, whole.
 */
final class ArrayCopy {
  private final ZarrArray source;
  private final ZarrArray copy;
  private final boolean fills;

  ArrayCopy(ZarrArray source, ZarrArray copy) {
    this.source = source;
    this.copy = copy;
    this.fills = ArrayConversion.fillsMissingChunks(source.metadata(), copy.metadata());
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
        : decodedBlocks(storing(limits), trusted);
  }

  /** Where a missing chunk has no defined value, chunks of zeros are stored, too. */
  private ZarrOptions storing(ZarrOptions limits) {
    return XarrayConvention.hasFillValue(copy.metadata())
        ? limits
        : limits.withWriteEmptyChunks(true);
  }

  /** An encoded chunk is taken to be no larger than the decoded one. */
  private Flux<Step> encodedChunks(ZarrOptions limits, boolean trusted) {
    long size = Sizes.bytes(copy.chunkGrid().largestChunkShape(), copy.dataType());
    ZarrArray to = copy.withOptions(limits.withWriteEmptyChunks(true));
    return Concurrently.map(
        Flux.fromIterable(ChunkBlocks.single(copy.chunkGrid(), copy.shape())),
        ReadPlan.ofSize(size, limits),
        chunk ->
            trusted
                ? isStored(chunk).flatMap(stored -> stored ? skipped(chunk) : encoded(chunk, to))
                : encoded(chunk, to));
  }

  private Mono<Step> encoded(Block chunk, ZarrArray to) {
    return source
        .readEncodedChunk(chunk.first())
        .flatMap(bytes -> copy.writeEncodedChunk(bytes, chunk.first()).thenReturn(0L))
        .switchIfEmpty(Mono.defer(() -> missing(chunk, to)))
        .map(filled -> Step.ofChunks(copy.path(), 1, 0, filled));
  }

  /** Stores a chunk that is missing in the source, where it has to be there; gives how many. */
  private Mono<Long> missing(Block chunk, ZarrArray to) {
    if (!fills) {
      return Mono.just(0L);
    }
    NdArray values = NdArray.filled(chunk.shape(), source.fillValue());
    return to.write(chunk.selection(), retyped(values, to)).thenReturn(1L);
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
    return Mono.just(Step.ofChunks(copy.path(), chunk.chunkCount(), chunk.chunkCount(), 0));
  }

  private Mono<Step> copied(Block block, Mono<Void> work) {
    return work.thenReturn(Step.ofChunks(copy.path(), block.chunkCount(), 0, 0));
  }
}
