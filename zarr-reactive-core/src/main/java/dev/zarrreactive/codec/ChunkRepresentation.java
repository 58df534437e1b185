package dev.zarrreactive.codec;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;

/** What a chunk is at one point of a codec chain. */
public record ChunkRepresentation(Shape shape, DataType dataType, FillValue fillValue) {}
