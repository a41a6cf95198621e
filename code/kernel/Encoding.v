(* The encoding as a vector, for every d = 2h and every base: entry 2i is a sine, entry 2i + 1 its cosine.

   Sums run over 0 .. n-1. A vector is a function of its index; a matrix one of row and column. *)
Require Import Reals Lra Lia ZArith Arith List Permutation.
Require Import Kernel.Irrational.
Import ListNotations.
Open Scope R_scope.

Definition total (l : list R) : R := fold_right Rplus 0 l.
Definition sum (n : nat) (f : nat -> R) : R := total (map f (seq 0 n)).

Lemma total_app l m : total (l ++ m) = total l + total m.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.

Lemma sum_0 f : sum 0 f = 0. Proof. reflexivity. Qed.
Lemma sum_S n f : sum (S n) f = sum n f + f n.
Proof. unfold sum. rewrite seq_S, map_app, total_app. simpl. ring. Qed.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n; intro H; [reflexivity|]. rewrite !sum_S, H by lia. rewrite IHn; [reflexivity|]. intros; apply H; lia.
Qed.
Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; [rewrite !sum_0; ring|]. rewrite !sum_S, IHn; ring. Qed.
Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n; [rewrite !sum_0; ring|]. rewrite !sum_S, IHn; ring. Qed.
Lemma sum_scale n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n; [rewrite !sum_0; ring|]. rewrite !sum_S, IHn; ring. Qed.
Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n; [rewrite sum_0; simpl; ring|]. rewrite sum_S, IHn, S_INR; ring. Qed.
Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n; intro H; [rewrite !sum_0; lra|]. rewrite !sum_S.
  assert (f n <= g n) by (apply H; lia). assert (sum n f <= sum n g) by (apply IHn; intros; apply H; lia). lra.
Qed.
Lemma sum_lt n f g i0 :
  (i0 < n)%nat -> (forall i, (i < n)%nat -> f i <= g i) -> f i0 < g i0 -> sum n f < sum n g.
Proof.
  induction n; intros L H S; [lia|]. rewrite !sum_S. destruct (Nat.eq_dec i0 n) as [-> | N].
  - assert (sum n f <= sum n g) by (apply sum_le; intros; apply H; lia). lra.
  - assert (f n <= g n) by (apply H; lia).
    assert (sum n f < sum n g) by (apply IHn; [lia | intros; apply H; lia | assumption]). lra.
Qed.
Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  intro H. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; ring). now apply sum_le.
Qed.
Lemma sum_pairs h f : sum (2 * h) f = sum h (fun i => f (2 * i)%nat + f (2 * i + 1)%nat).
Proof.
  induction h; [reflexivity|]. replace (2 * S h)%nat with (S (S (2 * h))) by lia.
  rewrite !sum_S, IHh. replace (2 * h + 1)%nat with (S (2 * h)) by lia. ring.
Qed.
Lemma sum_one n f i : (i < n)%nat -> (forall j, (j < n)%nat -> j <> i -> f j = 0) -> sum n f = f i.
Proof.
  induction n; intros L H; [lia|]. rewrite sum_S. destruct (Nat.eq_dec i n) as [-> | N].
  - rewrite (sum_ext _ _ (fun _ => 0)), sum_const; [ring | intros; apply H; lia].
  - rewrite IHn, (H n); [ring | lia | lia | lia | intros; apply H; lia].
Qed.
Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n; [rewrite sum_0; symmetry; rewrite (sum_ext _ _ (fun _ => 0)), sum_const; [ring | reflexivity]|].
  rewrite sum_S, IHn, <- sum_plus. apply sum_ext. intros. now rewrite sum_S.
Qed.
Lemma total_permutation l m : Permutation l m -> total l = total m.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_shift n r f : sum (n + r) f = sum n f + sum r (fun j => f (n + j)%nat).
Proof.
  induction r; [rewrite Nat.add_0_r, sum_0; ring|]. rewrite Nat.add_succ_r, !sum_S, IHr. ring.
Qed.
(* a sum does not change when its terms change places *)
Lemma sum_permutation n s f : Permutation (map s (seq 0 n)) (seq 0 n) -> sum n (fun i => f (s i)) = sum n f.
Proof.
  intro P. unfold sum. rewrite <- (map_map s f). apply total_permutation, Permutation_map, P.
Qed.

Definition vector := nat -> R.
Definition matrix := nat -> nat -> R.
Definition dot (d : nat) (u v : vector) : R := sum d (fun j => u j * v j).
Definition norm2 (d : nat) (u : vector) : R := dot d u u.
Definition apply (d : nat) (M : matrix) (v : vector) : vector := fun j => sum d (fun l => M j l * v l).
Definition minus (u v : vector) : vector := fun j => u j - v j.
Definition distance (d : nat) (u v : vector) : R := sqrt (norm2 d (minus u v)).

(* The encoding with any frequencies w 0, w 1, ... *)
Definition encoding (w : nat -> R) (p : R) : vector := fun j =>
  if Nat.even j then sin (w (j / 2)%nat * p) else cos (w (j / 2)%nat * p).
(* omega_i = b^(-2i/d), with d = 2h. Rpower is a power where b > 0; for other b it is 1, and says nothing of the book. *)
Definition omega (b : R) (h i : nat) : R := Rpower b (- (2 * INR i / INR (2 * h))).
Definition PE (b : R) (h : nat) : R -> vector := encoding (omega b h).
(* K(Delta) = sum of cos(omega_i Delta) *)
Definition K (b : R) (h : nat) (delta : R) : R := sum h (fun i => cos (omega b h i * delta)).

Lemma omega_0 b h : omega b h 0 = 1.
Proof.
  unfold omega. replace (- (2 * INR 0 / INR (2 * h))) with 0 by (simpl (INR 0); unfold Rdiv; ring).
  unfold Rpower. replace (0 * ln b) with 0 by ring. apply exp_0.
Qed.
Lemma omega_pos b h i : 0 < omega b h i. Proof. apply exp_pos. Qed.
Lemma omega_falls b h i l : 1 < b -> (l < h)%nat -> (i < l)%nat -> omega b h l < omega b h i.
Proof.
  intros B L I. apply Rpower_lt; [exact B|]. apply Ropp_lt_contravar. unfold Rdiv.
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, lt_0_INR; lia|]. apply lt_INR in I. lra.
Qed.
Lemma omega_le_1 b h i : 1 < b -> (i < h)%nat -> omega b h i <= 1.
Proof.
  intros B I. destruct i; [rewrite omega_0; lra|]. rewrite <- (omega_0 b h).
  apply Rlt_le, omega_falls; [exact B | exact I | lia].
Qed.
Lemma even_2i i : Nat.even (2 * i)%nat = true. Proof. rewrite Nat.even_mul. reflexivity. Qed.
Lemma odd_2i i : Nat.even (2 * i + 1)%nat = false.
Proof. rewrite Nat.add_1_r, Nat.even_succ, <- Nat.negb_even, even_2i. reflexivity. Qed.
Lemma half_2i i : (2 * i / 2 = i)%nat. Proof. rewrite Nat.mul_comm. apply Nat.div_mul; lia. Qed.
Lemma half_2i1 i : ((2 * i + 1) / 2 = i)%nat.
Proof. rewrite Nat.add_comm, Nat.mul_comm, Nat.div_add by lia. reflexivity. Qed.
Lemma PE_sin b h p i : PE b h p (2 * i)%nat = sin (omega b h i * p).
Proof. unfold PE, encoding. now rewrite even_2i, half_2i. Qed.
Lemma PE_cos b h p i : PE b h p (2 * i + 1)%nat = cos (omega b h i * p).
Proof. unfold PE, encoding. now rewrite odd_2i, half_2i1. Qed.
Lemma parity j : exists i, (j = 2 * i \/ j = 2 * i + 1)%nat.
Proof. exists (j / 2)%nat. generalize (Nat.div_mod j 2 ltac:(lia)) (Nat.mod_upper_bound j 2 ltac:(lia)). lia. Qed.

(* the greatest similarity is that of a position with itself *)
Lemma K_0 b h : K b h 0 = INR h.
Proof.
  unfold K. rewrite (sum_ext _ _ (fun _ => 1)); [rewrite sum_const; ring|].
  intros. rewrite Rmult_0_r. apply cos_0.
Qed.
Lemma K_le b h x : K b h x <= INR h.
Proof.
  rewrite <- (Rmult_1_r (INR h)), <- sum_const. apply sum_le. intros. apply COS_bound.
Qed.

(* whole turns change nothing *)
Lemma cos_period_Z x k : cos (x + 2 * PI * IZR k) = cos x.
Proof.
  assert (E : forall y n, cos (y + 2 * PI * INR n) = cos y).
  { intros y n. rewrite <- (cos_period y n). f_equal. ring. }
  destruct (Z.le_gt_cases 0 k) as [P | P].
  - rewrite <- (Z2Nat.id k P), <- INR_IZR_INZ. apply E.
  - rewrite <- (E (x + 2 * PI * IZR k) (Z.to_nat (- k))), INR_IZR_INZ, Z2Nat.id, opp_IZR by lia. f_equal. ring.
Qed.
Lemma sin_period_Z x k : sin (x + 2 * PI * IZR k) = sin x.
Proof.
  rewrite <- !cos_shift. rewrite <- (cos_period_Z (PI / 2 - (x + 2 * PI * IZR k)) k). f_equal. ring.
Qed.

(* two positions with the same height and the same leg are a whole number of turns apart: at whole positions, none *)
Lemma cos_whole_lt (m : Z) : m <> 0%Z -> cos (IZR m) < 1.
Proof.
  intro H. destruct (Rle_lt_or_eq_dec _ _ (proj2 (COS_bound (IZR m)))) as [L | E]; [exact L|].
  exfalso. apply (sin_whole m H). generalize (sin2_cos2 (IZR m)); unfold Rsqr; rewrite E; intro S.
  assert (sin (IZR m) * sin (IZR m) = 0) by lra. apply Rmult_integral in H0; tauto.
Qed.
Lemma K_whole_lt b h m : (0 < h)%nat -> m <> 0%Z -> K b h (IZR m) < INR h.
Proof.
  intros Hh Hm. rewrite <- (Rmult_1_r (INR h)), <- sum_const. apply (sum_lt _ _ _ 0%nat Hh).
  - intros. apply COS_bound.
  - rewrite omega_0, Rmult_1_l. now apply cos_whole_lt.
Qed.
