/*
 * Stands between a process and the files below a folder: records what is done to them, in its order, and lets calls
 * fail as a disk does. To be preloaded.
 *
 *   DISK_ROOT    the folder
 *   DISK_RECORD  the file that the record goes to; without it nothing is recorded. With it, SIGUSR2 is kill -9 between
 *                two calls
 *   DISK_FAULTS  the file that says which calls fail, shared with whoever asks for it (struct faults)
 *
 * A record is a header and so many bytes. What is written to standard output is recorded too, before it is: so an
 * acknowledgement has its place among the calls that it depends on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 65536
#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

struct header {
  uint32_t kind;
  int32_t descriptor;
  uint64_t at;
  uint64_t length;
};

struct faults {
  uint32_t kinds;
  uint32_t error;
  uint64_t from;  /* the first call that fails, from 1 */
  uint64_t count; /* how many fail */
  uint64_t seen;  /* calls of these kinds so far */
  uint64_t failed;
};

enum { SYNC = 1, WRITE = 2, TRUNCATE = 4, OPEN = 8, RENAME = 16, UNLINK = 32, MKDIR = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static int record = -1;
static struct faults *faults;
static char followed[DESCRIPTORS];

/* Set while the process is to die as soon as the call that is running has been recorded. */
static volatile sig_atomic_t dying;

static void release(void) {
  if (dying) raise(SIGKILL);
  pthread_mutex_unlock(&lock);
}

/* kill -9 between two calls: one that is done without being recorded would look like a write that came from nowhere. */
static void die(int signal) {
  (void)signal;
  dying = 1;
  if (pthread_mutex_trylock(&lock) == 0) raise(SIGKILL);
}

__attribute__((constructor)) static void begin(void) {
  root = getenv("DISK_ROOT");
  const char *path = getenv("DISK_RECORD");
  if (path) {
    record = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    signal(SIGUSR2, die);
  }
  path = getenv("DISK_FAULTS");
  int shared = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
  if (shared >= 0) faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
}

static int follows(int fd) { return fd >= 0 && fd < DESCRIPTORS && followed[fd]; }
static int below(const char *path) { return root && path && strncmp(path, root, strlen(root)) == 0; }

static void put(const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    long put = syscall(SYS_write, record, (const char *)bytes + done, length - done);
    if (put <= 0) abort();
    done += put;
  }
}

static void note(char kind, int fd, uint64_t at, const void *bytes, size_t length) {
  if (record < 0) return;
  struct header header = { kind, fd, at, length };
  put(&header, sizeof header);
  put(bytes, length);
}

static int fails(uint32_t kind) {
  if (!faults || !(faults->kinds & kind)) return 0;
  uint64_t n = ++faults->seen;
  if (n < faults->from || n - faults->from >= faults->count) return 0;
  faults->failed++;
  errno = faults->error;
  return 1;
}

#define LOCKED(type, expression) \
  pthread_mutex_lock(&lock); \
  type result = (expression); \
  int found = errno; \
  release(); \
  errno = found; \
  return result

static int opened(int fd, const char *path, int flags) {
  if (fd >= 0 && fd < DESCRIPTORS) {
    followed[fd] = 1;
    note('O', fd, flags, path, strlen(path));
  }
  return fd;
}

#define DEFINE_OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (!below(path)) return real(path, flags, mode); \
    LOCKED(int, fails(OPEN) ? -1 : opened(real(path, flags, mode), path, flags)); \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int close(int fd) {
  REAL(int, close, int);
  if (!follows(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  followed[fd] = 0;
  note('C', fd, 0, NULL, 0);
  int result = real(fd);
  release();
  return result;
}

/* A disk that is full takes a part. */
static ssize_t written(ssize_t (*real)(int, const void *, size_t, off_t), int fd, const void *bytes, size_t length,
                       off_t at) {
  if (fails(WRITE)) {
    int error = errno;
    ssize_t half = error == ENOSPC && length > 1 ? real(fd, bytes, length / 2, at) : 0;
    if (half > 0) note('W', fd, at, bytes, half);
    errno = error;
    return -1;
  }
  ssize_t done = real(fd, bytes, length, at);
  if (done > 0) note('W', fd, at, bytes, done);
  return done;
}

#define DEFINE_PWRITE(name) \
  ssize_t name(int fd, const void *bytes, size_t length, off_t at) { \
    REAL(ssize_t, name, int, const void *, size_t, off_t); \
    if (!follows(fd)) return real(fd, bytes, length, at); \
    LOCKED(ssize_t, written(real, fd, bytes, length, at)); \
  }
DEFINE_PWRITE(pwrite)
DEFINE_PWRITE(pwrite64)

/* Where the descriptor stands. */
static ssize_t written_there(ssize_t (*real)(int, const void *, size_t), int fd, const void *bytes, size_t length) {
  off_t at = lseek(fd, 0, SEEK_CUR);
  size_t asked = length;
  int isFailing = fails(WRITE);
  int error = errno;
  if (isFailing) asked = error == ENOSPC ? length / 2 : 0;
  ssize_t done = asked > 0 ? real(fd, bytes, asked) : 0;
  if (done > 0) note('W', fd, at, bytes, done);
  if (!isFailing) return done;
  errno = error;
  return -1;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (fd == STDOUT_FILENO && record >= 0) {
    pthread_mutex_lock(&lock);
    note('A', fd, 0, bytes, length);
    release();
  }
  if (!follows(fd)) return real(fd, bytes, length);
  LOCKED(ssize_t, written_there(real, fd, bytes, length));
}

/* Piece by piece, as a write that takes only a part may. */
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  return follows(fd) ? write(fd, pieces[0].iov_base, pieces[0].iov_len) : real(fd, pieces, count);
}

static int truncated(int (*real)(int, off_t), int fd, off_t length) {
  int result = fails(TRUNCATE) ? -1 : real(fd, length);
  if (result == 0) note('T', fd, length, NULL, 0);
  return result;
}

#define DEFINE_TRUNCATE(name) \
  int name(int fd, off_t length) { \
    REAL(int, name, int, off_t); \
    if (!follows(fd)) return real(fd, length); \
    LOCKED(int, truncated(real, fd, length)); \
  }
DEFINE_TRUNCATE(ftruncate)
DEFINE_TRUNCATE(ftruncate64)

static int synced(int (*real)(int), int fd) {
  int result = fails(SYNC) ? -1 : real(fd);
  if (result == 0) note('S', fd, 0, NULL, 0);
  return result;
}

#define DEFINE_SYNC(name) \
  int name(int fd) { \
    REAL(int, name, int); \
    if (!follows(fd)) return real(fd); \
    LOCKED(int, synced(real, fd)); \
  }
DEFINE_SYNC(fsync)
DEFINE_SYNC(fdatasync)

static int renamed(int (*real)(const char *, const char *), const char *from, const char *to) {
  int result = fails(RENAME) ? -1 : real(from, to);
  if (result != 0 || record < 0) return result;
  char both[8192];
  size_t first = strlen(from) + 1, second = strlen(to);
  if (first + second > sizeof both) abort();
  memcpy(both, from, first);
  memcpy(both + first, to, second);
  note('R', -1, 0, both, first + second);
  return result;
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (!below(from)) return real(from, to);
  LOCKED(int, renamed(real, from, to));
}

static int named(int (*real)(const char *), uint32_t fault, char kind, const char *path) {
  int result = fails(fault) ? -1 : real(path);
  if (result == 0) note(kind, -1, 0, path, strlen(path));
  return result;
}

#define DEFINE_NAMED(name, fault, kind) \
  int name(const char *path) { \
    REAL(int, name, const char *); \
    if (!below(path)) return real(path); \
    LOCKED(int, named(real, fault, kind, path)); \
  }
DEFINE_NAMED(unlink, UNLINK, 'U')
DEFINE_NAMED(remove, UNLINK, 'U')
DEFINE_NAMED(rmdir, UNLINK, 'U')

static int made(int (*real)(const char *, mode_t), const char *path, mode_t mode) {
  int result = fails(MKDIR) ? -1 : real(path, mode);
  if (result == 0) note('M', -1, 0, path, strlen(path));
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (!below(path)) return real(path, mode);
  LOCKED(int, made(real, path, mode));
}
