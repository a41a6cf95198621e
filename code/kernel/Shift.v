(* Chapter 10: the shift is the only matrix that takes each of d encodings in a row to one k positions on. *)
Require Import Reals Lra Lia ZArith Arith.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Open Scope R_scope.

(* ---- thm-only ---- *)
(* n hands with different frequencies between 0 and pi: no weights but zeros make the sum of their sines and cosines
   vanish at 2n positions in a row. What 2 cos w_n times the middle of three takes from the outer two has no hand n. *)
Definition different_frequencies (n : nat) (w : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 < w i < PI) /\ forall i l, (i < n)%nat -> (l < n)%nat -> i <> l -> w i <> w l.
Lemma three_in_a_row u v w x : 
  u * sin (w * (x + 2)) + v * cos (w * (x + 2)) + (u * sin (w * x) + v * cos (w * x)) =
  2 * cos w * (u * sin (w * (x + 1)) + v * cos (w * (x + 1))).
Proof.
  replace (w * (x + 2)) with (w * (x + 1) + w) by ring. replace (w * x) with (w * (x + 1) - w) by ring.
  rewrite sin_plus, cos_plus, sin_minus, cos_minus. ring.
Qed.
Lemma independent n : forall (w u v : nat -> R) (x : R), different_frequencies n w ->
  (forall k, (k < 2 * n)%nat -> sum n (fun i => u i * sin (w i * (x + INR k)) + v i * cos (w i * (x + INR k))) = 0) ->
  forall i, (i < n)%nat -> u i = 0 /\ v i = 0.
Proof.
  induction n; intros w u v x [W D] H i I; [lia|].
  assert (F : forall i, (i < n)%nat -> u i = 0 /\ v i = 0).
  { intros l L. assert (C : cos (w l) - cos (w n) <> 0).
    { intro E. assert (w l = w n); [|apply (D l n); [lia | lia | lia | assumption]].
      generalize (W l ltac:(lia)) (W n ltac:(lia)). intros. apply cos_inj; lra. }
    destruct (IHn w (fun i => 2 * (cos (w i) - cos (w n)) * u i) (fun i => 2 * (cos (w i) - cos (w n)) * v i) (x + 1))
      with (i := l) as [A B]; [| | exact L |].
    - split; intros; [apply W | apply D]; lia.
    - intros k K. generalize (H k ltac:(lia)) (H (k + 1)%nat ltac:(lia)) (H (k + 2)%nat ltac:(lia)).
      rewrite !plus_INR. simpl (INR 1). simpl (INR 2). intros H0 H1 H2.
      set (f := fun y i => u i * sin (w i * y) + v i * cos (w i * y)).
      transitivity (sum (S n) (f (x + (INR k + 2))) + sum (S n) (f (x + INR k)) - 2 * cos (w n) * sum (S n) (f (x + (INR k + 1)))).
      2: { unfold f. rewrite H0, H1. replace (1 + 1) with 2 in H2 by ring. rewrite H2. ring. }
      rewrite <- sum_scale, <- sum_plus, <- sum_minus, sum_S.
      assert (G : forall i, f (x + (INR k + 2)) i + f (x + INR k) i - 2 * cos (w n) * f (x + (INR k + 1)) i =
        2 * (cos (w i) - cos (w n)) * f (x + (INR k + 1)) i).
      { intro j. unfold f. generalize (three_in_a_row (u j) (v j) (w j) (x + INR k)). 
        replace (x + INR k + 2) with (x + (INR k + 2)) by ring. replace (x + INR k + 1) with (x + (INR k + 1)) by ring. 
        intro T. rewrite T. ring. }
      rewrite G. rewrite (sum_ext n (fun i => f (x + (INR k + 2)) i + _ - _) _ (fun i _ => G i)).
      replace (2 * (cos (w n) - cos (w n)) * f (x + (INR k + 1)) n) with 0 by ring. rewrite Rplus_0_r.
      apply sum_ext. intros j _. unfold f. replace (x + 1 + INR k) with (x + (INR k + 1)) by ring. ring.
    - split; [apply Rmult_integral in A as [A | A] | apply Rmult_integral in B as [B | B]]; try assumption; lra. }
  destruct (Nat.eq_dec i n) as [-> | N]; [| apply F; lia].
  assert (Z0 : forall k, (k < 2)%nat -> u n * sin (w n * (x + INR k)) + v n * cos (w n * (x + INR k)) = 0).
  { intros k K. generalize (H k ltac:(lia)). rewrite sum_S, (sum_ext n _ (fun _ => 0)), sum_const; [lra|].
    intros l L. destruct (F l L) as [-> ->]. ring. }
  generalize (Z0 0%nat ltac:(lia)) (Z0 1%nat ltac:(lia)). simpl INR. rewrite Rplus_0_r.
  replace (w n * (x + 1)) with (w n * x + w n) by ring. rewrite sin_plus, cos_plus.
  generalize (sin_gt_0 (w n) (proj1 (W n ltac:(lia))) (proj2 (W n ltac:(lia)))) (sin2_cos2 (w n * x)). unfold Rsqr.
  set (a := sin (w n * x)). set (b := cos (w n * x)). set (c := sin (w n)). set (e := cos (w n)). intros P Q E0 E1.
  assert (E2 : c * (u n * b - v n * a) = 0).
  { replace (c * (u n * b - v n * a)) with (u n * (a * e + b * c) + v n * (b * e - a * c) - e * (u n * a + v n * b)) by ring.
    rewrite E0, E1. ring. }
  apply Rmult_integral in E2 as [E2 | E2]; [lra|]. split.
  - replace (u n) with (a * (u n * a + v n * b) + b * (u n * b - v n * a) + u n * (1 - (a * a + b * b))) by ring.
    rewrite E0, E2, Q. ring.
  - replace (v n) with (b * (u n * a + v n * b) - a * (u n * b - v n * a) + v n * (1 - (a * a + b * b))) by ring.
    rewrite E0, E2, Q. ring.
Qed.

Theorem the_shift_is_the_only_matrix (h : nat) (w : nat -> R) (k : R) (A : matrix) :
  different_frequencies h w ->
  (forall p j, (p < 2 * h)%nat -> (j < 2 * h)%nat ->
    apply (2 * h) A (encoding w (INR p)) j = encoding w (INR p + k) j) ->
  forall j l, (j < 2 * h)%nat -> (l < 2 * h)%nat -> A j l = shift w k j l.
Proof.
  intros D H j l J L. set (c := fun l => A j l - shift w k j l).
  assert (Z0 : forall i, (i < h)%nat -> c (2 * i)%nat = 0 /\ c (2 * i + 1)%nat = 0).
  { apply (independent h w _ _ 0 D). intros p P. rewrite Rplus_0_l.
    transitivity (sum (2 * h) (fun m => c m * encoding w (INR p) m)).
    - rewrite sum_pairs. apply sum_ext. intros i _. unfold encoding. now rewrite even_2i, odd_2i, half_2i, half_2i1.
    - rewrite (sum_ext _ _ (fun m => A j m * encoding w (INR p) m - shift w k j m * encoding w (INR p) m))
        by (intros; unfold c; ring).
      rewrite sum_minus. change (sum _ (fun m => A j m * _)) with (apply (2 * h) A (encoding w (INR p)) j).
      change (sum _ (fun m => shift w k j m * _)) with (apply (2 * h) (shift w k) (encoding w (INR p)) j).
      rewrite H by assumption. rewrite shift_moves by assumption. ring. }
  assert (c l = 0); [|unfold c in *; lra].
  destruct (parity l) as [i [-> | ->]]; apply Z0; lia.
Qed.
Theorem the_encoding_has_such_frequencies (b : R) (h : nat) : 1 < b -> different_frequencies h (omega b h).
Proof.
  intro B. split.
  - intros i I. split; [apply omega_pos|]. apply Rle_lt_trans with 1; [now apply omega_le_1|]. generalize PI2_1. lra.
  - intros i l I L N E. destruct (Nat.lt_total i l) as [G | [G | G]]; [| contradiction |];
      generalize (omega_falls b h _ _ B L G) || generalize (omega_falls b h _ _ B I G); lra.
Qed.
