/** Reading and writing over S3. */
@NullMarked
package dev.zarrreactive.s3;

import org.jspecify.annotations.NullMarked;
